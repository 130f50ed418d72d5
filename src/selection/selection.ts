/**
 * A GraphQL selection as plain data; keys are the names in the answer. Every header that shapes an answer
 * contributes one, and `mergeSelections` joins them. `operation.ts` compiles the selection, and
 * `rest/answer/present.ts` renders the result by it.
 */
export interface Selection {
  readonly [key: string]: SelectionNode;
}

/** `true` is a field of the same name without arguments or sub-fields. */
export type SelectionNode = true | Selection | Field;

/** A value that each request provides. Its name is its source: `address.id`, `query.q`, `body`, `body.a`. */
export class Input {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export const input = (name: string): Input => new Input(name);

export type Arguments = Readonly<Record<string, unknown>>;

/** Arguments that take the query parameters of the same names. */
export const queryArguments = (...names: readonly string[]): Arguments =>
  Object.fromEntries(names.map((name) => [name, input(`query.${name}`)]));

/** The same of lists whose values may hold commas: each value is a parameter of its own. */
export const repeatedArguments = (...names: readonly string[]): Arguments =>
  Object.fromEntries(names.map((name) => [name, input(`repeated.${name}`)]));

/** Entities that may occur many times in an answer, and are loaded together in one further operation. */
export type NestedKind = 'document' | 'user';

export class Field {
  /** The field's name in the schema, when the answer has it under another name. */
  readonly name: string | undefined;
  readonly arguments: Arguments = {};
  readonly of: Selection | undefined;
  /** Converts the value for the answer; a result of `undefined` omits it. */
  readonly format: ((value: unknown) => unknown) | undefined;
  /** Set if the value is the id of an entity that the answer contains in full. */
  readonly nested: NestedKind | undefined;
  /** Puts the value into the enclosing object, instead of under its key. */
  readonly assign: ((target: PresentedObject, value: unknown) => void) | undefined;
  /** Where `assign` puts it, for the OpenAPI description: names from the enclosing object down. */
  readonly targetPath: readonly string[] | undefined;
  /** Whether the first sub-field that is not null takes the place of the object. */
  readonly isFirstNonNull: boolean = false;
  /** Whether a list is presented as an object with the items under their `id`. */
  readonly isById: boolean = false;
  /** Whether each item of a list is presented as its sub-field beside `id`, where one is not null. */
  readonly isOfEntities: boolean = false;

  constructor(given: Partial<Field>) {
    Object.assign(this, given);
  }
}

type PresentedObject = Record<string | number, unknown>;

type PathValue = readonly [path: ReadonlyArray<string | number>, value: unknown];

/** Replaces an object or list by a copy, since the answer may contain the same one elsewhere. */
function copyAt(
  parent: PresentedObject,
  key: string | number,
  copies: Set<unknown>,
): PresentedObject | undefined {
  const child = parent[key];
  if (typeof child !== 'object' || child === null) return undefined;
  if (copies.has(child)) return child as PresentedObject;
  const copy = (Array.isArray(child) ? [...child] : { ...child }) as PresentedObject;
  copies.add(copy);
  parent[key] = copy;
  return copy;
}

/** Sets values at their paths; a value is dropped if an object on its path is missing. */
export function setAtPaths(target: PresentedObject, values: readonly PathValue[]): void {
  const copies = new Set<unknown>();
  for (const [path, value] of values) {
    let parent: PresentedObject | undefined = target;
    for (const key of path.slice(0, -1)) parent = parent && copyAt(parent, key, copies);
    const last = path.at(-1);
    if (parent && last !== undefined) parent[last] = value;
  }
}

/** Replaces an id in the answer by its entity; the id stays where there is none. */
export const replaceAtPath = (...path: readonly string[]): Pick<Field, 'assign' | 'targetPath'> => ({
  targetPath: path,
  assign: (target, value) => {
    if (value !== null && value !== undefined) setAtPaths(target, [[path, value]]);
  },
});

const firstOf = (value: unknown): unknown =>
  Object.values(value ?? {}).find((part) => part !== null && part !== undefined);

/** Of a list: in each of its items. */
export const firstNonNull = (field: Partial<Field>): Field =>
  new Field({
    ...field,
    isFirstNonNull: true,
    format: (value) => (Array.isArray(value) ? value.map(firstOf) : firstOf(value)),
  });

export const nestedDocument = new Field({ of: { uid: true }, nested: 'document' });

export const nestedUser = new Field({ of: { id: true }, nested: 'user' });

export const call = (given: Arguments, of?: Selection): Field => new Field({ arguments: given, of });

export const omitIfNull = new Field({ format: (value) => value ?? undefined });

/** Omitted when the list is null. */
export const listById = (of: Selection): Field =>
  new Field({
    of,
    isById: true,
    format: (list) =>
      list
        ? Object.fromEntries((list as ReadonlyArray<{ id: string }>).map((item) => [item.id, item]))
        : undefined,
  });

/** A fixed value in the answer; `__typename` merely stands in for a field. */
export const constant = (value: unknown): Field => new Field({ name: '__typename', format: () => value });

/** The GraphQL type in lower camel case: `docTypes` for `DocTypes`. */
export const entityType = new Field({
  name: '__typename',
  format: (value) => String(value).charAt(0).toLowerCase() + String(value).slice(1),
});

const subSelection = (node: SelectionNode): Selection =>
  node === true ? {} : node instanceof Field ? (node.of ?? {}) : node;

function mergeNodes(one: SelectionNode | undefined, other: SelectionNode): SelectionNode {
  if (one === undefined || one === true) return other;
  if (other === true) return one;
  const of = mergeSelections(subSelection(one), subSelection(other));
  const field = other instanceof Field ? other : one instanceof Field ? one : undefined;
  if (!field) return of;
  const isLeaf = [one, other].every((node) => node instanceof Field && !node.of);
  return new Field({ ...field, of: isLeaf ? undefined : of });
}

/** The union of selections; of two fields with arguments, the later one wins. */
export function mergeSelections(...selections: readonly Selection[]): Selection {
  const merged: Record<string, SelectionNode> = {};
  for (const selection of selections) {
    for (const [key, node] of Object.entries(selection)) merged[key] = mergeNodes(merged[key], node);
  }
  return merged;
}

/** The alias of a key: GraphQL names cannot contain dashes. */
export const responseKey = (key: string): string => key.replace(/\W/g, '_');
