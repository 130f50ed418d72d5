/**
 * The location of a value in a response: a path in the JSON such as `entries.0.id`, '' for the whole text, or a
 * regular expression whose group matches part of `Location`.
 */
export type ValuePlace = string | RegExp;

/**
 * A request that succeeds on a newly installed server after the preceding examples. Its strings can contain `{plan}`,
 * which is replaced with the value that an earlier response named `plan`.
 */
export interface Example {
  /** Path parameters, query parameters and headers by name. Lists are joined with commas. */
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly body?: unknown;
  /** The contents of files by name. They are either the entire body or additional parts next to the JSON. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Names for values in the response. */
  readonly gives?: Readonly<Record<string, ValuePlace>>;
  /** Requests that create what the example needs. */
  readonly before?: readonly Step[];
}

/** A request to a route, by the route's name. */
export interface Step extends Omit<Example, 'before'> {
  readonly route: string;
}

/** Examples by route name. */
export type Examples = Readonly<Record<string, Example>>;

/** Replaces every `{name}` in the strings of a value. */
export function filled<Value>(value: Value, named: (name: string) => string): Value {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replaceAll(/\{(\w+)\}/g, (_, name: string) => named(name));
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null || part instanceof Uint8Array) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, fill(each)]));
  };
  return fill(value) as Value;
}
