/**
 * What to ask the GraphQL schema for, as plain data: every header that shapes an answer is a function to a
 * `Selection`, and `merge` joins them. `operation.ts` compiles one, `rest/present.ts` reads the answer by it.
 */

/** By the name that the answer shows. */
export interface Selection {
  readonly [key: string]: Node;
}

/** `true` is a field of the same name without arguments or sub-fields. */
export type Node = true | Selection | Field;

/**
 * A value that each request brings. Its name says where from: `address.id`, `query.pageSize`, `body`, or what
 * `body.a.b` names of it.
 */
export class Input {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export const input = (name: string): Input => new Input(name);

export type Arguments = Readonly<Record<string, unknown>>;

/** Arguments that are parameters of the query, by the same names. */
export const queried = (...names: readonly string[]): Arguments =>
  Object.fromEntries(names.map((name) => [name, input(`query.${name}`)]));

/** What an answer may show in many places, and is asked for once for all of them. */
export type InsideKind = 'document' | 'user';

/** A field asked for in a way that a name alone does not say. */
export class Field {
  /** The field's name in the schema, when the answer shows it under another. */
  readonly name: string | undefined;
  readonly arguments: Arguments;
  readonly of: Selection | undefined;
  /** How the answer shows the value; `undefined` leaves it out. */
  readonly show: ((value: unknown) => unknown) | undefined;
  /** What kind of entity inside the answer it is, which is shown where its id is told. */
  readonly inside: InsideKind | undefined;
  /** How the object that is shown so far takes the value in, instead of showing it under its key. */
  readonly join: ((shown: Shown, value: unknown) => void) | undefined;
  /** Where it takes it in, when that is not under its key: names from the object down. */
  readonly at: readonly string[] | undefined;
  /** Whether, of its parts, the first one that there is is shown in its place. */
  readonly isEither: boolean;
  /** Whether the items of the list are shown as an object that has each under its `id`. */
  readonly isById: boolean;

  constructor({ name, arguments: given = {}, of, show, inside, join, at, isEither, isById }: Partial<Field>) {
    this.name = name;
    this.arguments = given;
    this.of = of;
    this.show = show;
    this.inside = inside;
    this.join = join;
    this.at = at;
    this.isEither = isEither ?? false;
    this.isById = isById ?? false;
  }
}

/** What an object of the answer is made of while it is spelled. */
export type Shown = Record<string | number, unknown>;

/** A value, and names and indexes from an object down to where it goes. */
export type Placed = readonly [path: ReadonlyArray<string | number>, value: unknown];

/** An object or a list on the way to a place, as a copy of what may be shown elsewhere too. */
function step(shown: Shown, key: string | number, copies: Set<unknown>): Shown | undefined {
  const there = shown[key];
  if (typeof there !== 'object' || there === null) return undefined;
  if (copies.has(there)) return there as Shown;
  const copy = (Array.isArray(there) ? [...there] : { ...there }) as Shown;
  copies.add(copy);
  shown[key] = copy;
  return copy;
}

/** Puts values where they go; one whose way is not there goes nowhere. */
export function putAll(shown: Shown, values: readonly Placed[]): void {
  const copies = new Set<unknown>();
  for (const [path, value] of values) {
    let at: Shown | undefined = shown;
    for (const key of path.slice(0, -1)) at = at && step(at, key, copies);
    const last = path.at(-1);
    if (at && last !== undefined) at[last] = value;
  }
}

/** How an entity is shown where its id stands; without one the id stays. */
export const inPlaceOf = (...path: readonly string[]): Pick<Field, 'join' | 'at'> => ({
  at: path,
  join: (shown, value) => {
    if (value !== null && value !== undefined) putAll(shown, [[path, value]]);
  },
});

/** Of the parts that are asked for, shows the first one that there is. */
export const either = (field: Partial<Field>): Field =>
  new Field({
    ...field,
    isEither: true,
    show: (value) => Object.values(value ?? {}).find((part) => part !== null && part !== undefined),
  });

/** A document inside the answer. */
export const insideDocument = new Field({ of: { uid: true }, inside: 'document' });

/** A user inside the answer. */
export const insideUser = new Field({ of: { id: true }, inside: 'user' });

/** A field with arguments. */
export const call = (given: Arguments, of?: Selection): Field => new Field({ arguments: given, of });

/** A field left out of the answer when it is null. */
export const whenSet = new Field({ show: (value) => value ?? undefined });

/** A list shown as an object that has each item under its `id`; left out of the answer when it is null. */
export const listById = (of: Selection): Field =>
  new Field({
    of,
    isById: true,
    show: (list) =>
      list
        ? Object.fromEntries((list as ReadonlyArray<{ id: string }>).map((item) => [item.id, item]))
        : undefined,
  });

/** The same whatever the schema says. */
export const constant = (value: unknown): Field => new Field({ name: '__typename', show: () => value });

/** The entity type, which is the GraphQL type in lower camel case: `Document` is `document`, `DocTypes` `docTypes`. */
export const entityType = new Field({
  name: '__typename',
  show: (value) => String(value).charAt(0).toLowerCase() + String(value).slice(1),
});

const subSelection = (node: Node): Selection =>
  node === true ? {} : node instanceof Field ? (node.of ?? {}) : node;

function mergeNodes(one: Node | undefined, other: Node): Node {
  if (one === undefined || one === true) return other;
  if (other === true) return one;
  const of = merge(subSelection(one), subSelection(other));
  const field = other instanceof Field ? other : one instanceof Field ? one : undefined;
  if (!field) return of;
  const isLeaf = [one, other].every((node) => node instanceof Field && !node.of);
  return new Field({ ...field, of: isLeaf ? undefined : of });
}

/** Everything that any of the selections asks for; where two ask for a field with arguments, the later ones'. */
export function merge(...selections: readonly Selection[]): Selection {
  const merged: Record<string, Node> = {};
  for (const selection of selections) {
    for (const [key, node] of Object.entries(selection)) merged[key] = mergeNodes(merged[key], node);
  }
  return merged;
}

/** What a node is called in the GraphQL response: the shown name, as far as GraphQL allows it. */
export const responseKey = (key: string): string => key.replace(/\W/g, '_');
