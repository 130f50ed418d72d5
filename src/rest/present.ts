import { Field, type Node, responseKey, type Selection } from '../selection.ts';
import type { Inside } from './inside.ts';

/** Spells one value of a GraphQL answer as the contract does; `undefined` leaves it out. An object becomes what is given. */
type Present = (value: unknown, inside: Inside, shown?: Record<string, unknown>) => unknown;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stands where a document inside is to be shown, or those of a list that there is room for. */
function presentInside(value: unknown, inside: Inside): unknown {
  if (Array.isArray(value))
    return value.map((one) => presentInside(one, inside)).filter((one) => one !== undefined);
  return isObject(value) ? inside.document(String(value.uid)) : value;
}

function presentNode(node: Node): Present | undefined {
  if (node === true) return undefined;
  if (!(node instanceof Field)) return speller(node);
  const { of, show, isInside } = node;
  if (isInside) return presentInside;
  const inner = of && speller(of);
  if (!show) return inner;
  return inner ? (value, inside) => show(inner(value, inside)) : (value) => show(value);
}

/** What spells the answers to a selection; nothing where they are spelled right already. */
function speller(selection: Selection): Present | undefined {
  const fields = Object.entries(selection).map(([key, node]) => ({
    key,
    from: responseKey(key),
    present: presentNode(node),
    join: node instanceof Field ? node.join : undefined,
  }));
  if (fields.every(({ key, from, present, join }) => key === from && !present && !join)) return undefined;
  const one: Present = (data, inside, shown = {}) => {
    if (Array.isArray(data)) return data.map((item) => one(item, inside));
    if (!isObject(data)) return data;
    for (const { key, from, present, join } of fields) {
      const value = present ? present(data[from], inside) : data[from];
      if (join) join(shown, value);
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
export const presenter = (selection: Selection): Present =>
  speller(selection) ?? ((data, _, shown) => (shown ? Object.assign(shown, data) : data));
