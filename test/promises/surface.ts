/**
 * A part of the public interface as text: for each subject, such as a call, the set of what it offers and demands. Items that
 * begin with `!` are demands, such as a required parameter; the others are promises.
 */
export type Surface = ReadonlyMap<string, ReadonlySet<string>>;

/** Collects the items of a surface. */
export class Listing {
  readonly subjects = new Map<string, Set<string>>();

  add(subject: string, ...items: readonly string[]): void {
    const known = this.subjects.get(subject) ?? new Set();
    this.subjects.set(subject, known);
    for (const item of items) known.add(item.replaceAll(/\s+/g, ' '));
  }
}

/** Writes a surface as lines, in which tabs separate the subject and its items. */
export const printed = (surface: Surface): string =>
  [...surface]
    .map(([subject, items]) => `${[subject, ...[...items].sort()].join('\t')}\n`)
    .sort()
    .join('');

export const parsed = (text: string): Surface =>
  new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [subject = '', ...items] = line.split('\t');
        return [subject, new Set(items)];
      }),
  );

/** Names everything that was promised and is no longer offered, and everything that is newly demanded. */
export function brokenPromises(kept: Surface, now: Surface): string[] {
  return [...kept].flatMap(([subject, items]) => {
    const current = now.get(subject);
    if (!current) return [`${subject} was removed.`];
    const removed = [...items].filter((item) => !item.startsWith('!') && !current.has(item));
    const demanded = [...current].filter((item) => item.startsWith('!') && !items.has(item));
    return [
      ...removed.map((item) => `${subject}: ${item} was removed or changed.`),
      ...demanded.map((item) => `${subject}: ${item.slice(1)} is required now.`),
    ];
  });
}

/** The parts of JSON Schema that the descriptions of Quire use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** Whether clients send values of a schema, and whether they receive them. */
export interface Sides {
  readonly isSent: boolean;
  readonly isReceived: boolean;
}

const values = ({ const: constant, enum: list = [] }: JsonSchema): string[] =>
  [...(constant === undefined ? [] : [constant]), ...list].map((value) => `=${JSON.stringify(value)}`);

/**
 * Lists the types, values and properties of a schema. A type that becomes wider keeps its items. A type that becomes narrower
 * loses some.
 */
export function listSchema(listing: Listing, subject: string, schema: JsonSchema, sides: Sides): void {
  listing.add(subject, ...values(schema), ...[schema.type ?? []].flat());
  if (schema.$ref) listing.add(subject, schema.$ref.split('/').at(-1) ?? '');
  if (schema.default !== undefined) listing.add(subject, `default ${JSON.stringify(schema.default)}`);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) === true;
    listing.add(subject, `.${name}`);
    if (isRequired && sides.isSent) listing.add(subject, `!.${name}`);
    if (isRequired && sides.isReceived) listing.add(subject, `always .${name}`);
    listSchema(listing, `${subject}.${name}`, property, sides);
  }
  if (schema.items) listSchema(listing, `${subject}[]`, schema.items, sides);
  if (typeof schema.additionalProperties === 'object')
    listSchema(listing, `${subject}.*`, schema.additionalProperties, sides);
  for (const part of [schema.oneOf, schema.anyOf, schema.allOf].flatMap((parts) => parts ?? []))
    listSchema(listing, subject, part, sides);
}
