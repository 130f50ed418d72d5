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
 * A value that each request brings: a parameter of the address, of the query, the body, or what `body.a.b` names of
 * it.
 */
export class Input {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export const input = (name: string): Input => new Input(name);

export type Arguments = Readonly<Record<string, unknown>>;

/** A field asked for in a way that a name alone does not say. */
export class Field {
  /** The field's name in the schema, when the answer shows it under another. */
  readonly name: string | undefined;
  readonly arguments: Arguments;
  readonly of: Selection | undefined;
  /** How the answer shows the value; `undefined` leaves it out. */
  readonly show: ((value: unknown) => unknown) | undefined;
  /** Names from the object down to where the answer shows the value, unless it is null, instead of under its key. */
  readonly place: readonly [string, string] | undefined;

  constructor({ name, arguments: given = {}, of, show, place }: Partial<Field>) {
    this.name = name;
    this.arguments = given;
    this.of = of;
    this.show = show;
    this.place = place;
  }
}

/** An entity that the answer shows where its id stands: a field of a field, named like the entity's own. */
export const inPlaceOf = (place: readonly [string, string], of: Selection): Field =>
  new Field({ name: place[1], of, place });

/** A field with arguments. */
export const call = (given: Arguments, of?: Selection): Field => new Field({ arguments: given, of });

/** A field left out of the answer when it is null. */
export const whenSet = new Field({ show: (value) => value ?? undefined });

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
  return field ? new Field({ ...field, of }) : of;
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
