import { Field, type Node, responseKey, type Selection } from '../selection.ts';

/** Spells one value of a GraphQL answer as the contract does; `undefined` leaves it out. */
type Present = (value: unknown) => unknown;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function presentNode(node: Node): Present | undefined {
  if (node === true) return undefined;
  if (!(node instanceof Field)) return speller(node);
  const { of, show } = node;
  const inner = of && speller(of);
  if (!show) return inner;
  return inner ? (value) => show(inner(value)) : show;
}

/** Puts a value where its id stands; an id that leads to nothing stays. */
function put(shown: Record<string, unknown>, [field, name]: readonly [string, string], value: unknown): void {
  const before = shown[field];
  if (value !== null && value !== undefined && isObject(before)) shown[field] = { ...before, [name]: value };
}

/** What spells the answers to a selection; nothing where they are spelled right already. */
function speller(selection: Selection): Present | undefined {
  const fields = Object.entries(selection).map(([key, node]) => ({
    key,
    from: responseKey(key),
    present: presentNode(node),
    place: node instanceof Field ? node.place : undefined,
  }));
  if (fields.every(({ key, from, present, place }) => key === from && !present && !place)) return undefined;
  const one = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(one);
    if (!isObject(data)) return data;
    const shown: Record<string, unknown> = {};
    for (const { key, from, present, place } of fields) {
      const value = present ? present(data[from]) : data[from];
      if (place) put(shown, place, value);
      else if (value !== undefined || !present) shown[key] = value;
    }
    return shown;
  };
  return one;
}

/**
 * Compiles a selection into what spells its answers: the same fields, under the names and in the order of the
 * selection that asked for them. What is a leaf there, JSON included, is passed on as it is.
 */
export const presenter = (selection: Selection): Present => speller(selection) ?? ((data) => data);
