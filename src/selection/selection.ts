/**
 * A GraphQL selection as plain data. Its keys are the names in the response. Every header that shapes a response
 * contributes a selection, and `mergeSelections` merges them. `operation.ts` compiles the result to GraphQL, and
 * `rest/answer/present.ts` uses it to convert the data to the response.
 */
export interface Selection {
  readonly [key: string]: SelectionNode;
}

/** A node of a selection. `true` is a field with the name of its key and without arguments or sub-fields. */
export type SelectionNode = true | Selection | Field;

/**
 * A value that each request provides. The name tells where it comes from, such as `address.id`, `query.q`, `body` or
 * `body.a`.
 */
export class Input {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export const input = (name: string): Input => new Input(name);

export type Arguments = Readonly<Record<string, unknown>>;

/** Maps arguments to the query parameters with the same names. */
export const queryArguments = (...names: readonly string[]): Arguments =>
  Object.fromEntries(names.map((name) => [name, input(`query.${name}`)]));

/**
 * Maps arguments to the query parameters with the same names. These parameters can be repeated, so that list items can
 * contain commas.
 */
export const repeatedArguments = (...names: readonly string[]): Arguments =>
  Object.fromEntries(names.map((name) => [name, input(`repeated.${name}`)]));

/**
 * The kinds of entities that can appear many times in a response. All of them are loaded together by one additional
 * operation.
 */
export type NestedKind = 'document' | 'user';

/** A selected field with options, such as arguments or a function that converts its value. */
export class Field {
  /** The name of the field in the schema, if it differs from the name in the response. */
  readonly name: string | undefined;
  readonly arguments: Arguments = {};
  readonly of: Selection | undefined;
  /** Converts the value for the response. If it returns `undefined`, the field is omitted. */
  readonly format: ((value: unknown) => unknown) | undefined;
  /** Set if the value is the id of an entity of this kind and the response contains the entity instead. */
  readonly nested: NestedKind | undefined;
  /** Puts the value into the enclosing object. Without this function, the value is set at the key. */
  readonly assign: ((target: PresentedObject, value: unknown) => void) | undefined;
  /** The path, from the enclosing object, at which `assign` sets the value. The OpenAPI description uses it. */
  readonly targetPath: readonly string[] | undefined;
  /** Whether the object is replaced by the first of its sub-fields that is not null. */
  readonly isFirstNonNull: boolean = false;
  /** Whether a list is presented as an object whose keys are the ids of the items. */
  readonly isById: boolean = false;
  /** Whether each item of a list is replaced by its sub-field other than `id`, if that is not null. */
  readonly isOfEntities: boolean = false;

  constructor(members: Partial<Field>) {
    Object.assign(this, members);
  }
}

type PresentedObject = Record<string | number, unknown>;

type PathValue = readonly [path: ReadonlyArray<string | number>, value: unknown];

/**
 * Replaces an object or list with a copy before it is changed, because the response may contain the same object
 * elsewhere.
 */
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

/** Sets values at their paths. A value is ignored if its path leads through a missing object. */
export function setAtPaths(target: PresentedObject, values: readonly PathValue[]): void {
  const copies = new Set<unknown>();
  for (const [path, value] of values) {
    let parent: PresentedObject | undefined = target;
    for (const key of path.slice(0, -1)) parent = parent && copyAt(parent, key, copies);
    const last = path.at(-1);
    if (parent && last !== undefined) parent[last] = value;
  }
}

/**
 * The options of a field that replaces an id in the response with its entity. Ids without an entity remain unchanged.
 */
export const replaceAtPath = (...path: readonly string[]): Pick<Field, 'assign' | 'targetPath'> => ({
  targetPath: path,
  assign: (target, value) => {
    if (value !== null && value !== undefined) setAtPaths(target, [[path, value]]);
  },
});

const firstOf = (value: unknown): unknown =>
  Object.values(value ?? {}).find((part) => part !== null && part !== undefined);

/** A field whose value is the first of its sub-fields that is not null. In a list, this applies to each item. */
export const firstNonNull = (field: Partial<Field>): Field =>
  new Field({
    ...field,
    isFirstNonNull: true,
    format: (value) => (Array.isArray(value) ? value.map(firstOf) : firstOf(value)),
  });

export const nestedDocument = new Field({ of: { uid: true }, nested: 'document' });

export const nestedUser = new Field({ of: { id: true }, nested: 'user' });

export const call = (values: Arguments, of?: Selection): Field => new Field({ arguments: values, of });

export const omitIfNull = new Field({ format: (value) => value ?? undefined });

/** A list presented as an object whose keys are the ids of the items. It is omitted if it is null. */
export const listById = (of: Selection): Field =>
  new Field({
    of,
    isById: true,
    format: (list) =>
      list
        ? Object.fromEntries((list as ReadonlyArray<{ id: string }>).map((item) => [item.id, item]))
        : undefined,
  });

/** A fixed value in the response. The field selects `__typename`, because a selection cannot be empty. */
export const constant = (value: unknown): Field => new Field({ name: '__typename', format: () => value });

/** The name of the GraphQL type in lower camel case, such as `docTypes` for `DocTypes`. */
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

/** Merges selections. If two of them have arguments for the same field, the arguments of the later one are used. */
export function mergeSelections(...selections: readonly Selection[]): Selection {
  const merged: Record<string, SelectionNode> = {};
  for (const selection of selections) {
    for (const [key, node] of Object.entries(selection)) merged[key] = mergeNodes(merged[key], node);
  }
  return merged;
}

/** The GraphQL alias for a key. GraphQL names cannot contain dashes. */
export const responseKey = (key: string): string => key.replace(/\W/g, '_');
