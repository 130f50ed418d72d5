/** Where an answer has a value: `entries.0.id` of its JSON, '' for its text, or a group in `Location`. */
export type ValuePlace = string | RegExp;

/**
 * A request that a new server answers with success, after those above it. `{plan}` in its texts is the value
 * that an earlier answer gave by that name.
 */
export interface Example {
  /** Of the address, of the query, and headers; lists are sent with commas. */
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly body?: unknown;
  /** What files hold, by their names: the only body, or parts beside the JSON. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Names for values of its answer. */
  readonly gives?: Readonly<Record<string, ValuePlace>>;
  /** Requests that make what it needs. */
  readonly before?: readonly Step[];
}

/** A request by the name of its route. */
export interface Step extends Omit<Example, 'before'> {
  readonly route: string;
}

/** By the name of the route. */
export type Examples = Readonly<Record<string, Example>>;

/** Replaces each `{name}` in the texts of a value. */
export function filled<Value>(value: Value, named: (name: string) => string): Value {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replaceAll(/\{(\w+)\}/g, (_, name: string) => named(name));
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null || part instanceof Uint8Array) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, fill(each)]));
  };
  return fill(value) as Value;
}
