import { Field, type InsideKind, type Node, responseKey, type Selection } from '../selection.ts';
import type { Inside } from './inside.ts';

/** Spells one value of a GraphQL answer as the contract does; `undefined` leaves it out. An object becomes what is given. */
type Present = (value: unknown, inside: Inside, shown?: Record<string, unknown>) => unknown;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stands where an entity inside is to be shown, or those of a list that there is room for. */
function presentInside(kind: InsideKind): Present {
  const one: Present = (value, inside) => {
    if (Array.isArray(value))
      return value.map((item) => one(item, inside)).filter((item) => item !== undefined);
    return isObject(value) ? inside.place(kind, String(value.uid ?? value.id)) : value;
  };
  return one;
}

function presentNode(node: Node): Present | undefined {
  if (node === true) return undefined;
  if (!(node instanceof Field)) return speller(node);
  const { of, show, inside: kind } = node;
  if (kind) return presentInside(kind);
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
