import { Field, responseKey, type Selection } from '../selection.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Spells a GraphQL answer as the contract does: the same fields, under the names and in the order of the selection
 * that asked for them. What is a leaf there, JSON included, is passed on as it is.
 */
export function present(selection: Selection, data: unknown): unknown {
  if (Array.isArray(data)) return data.map((item) => present(selection, item));
  if (!isObject(data)) return data;
  const shown: Record<string, unknown> = {};
  for (const [key, node] of Object.entries(selection)) {
    const value = data[responseKey(key)];
    if (node === true) {
      shown[key] = value;
    } else if (!(node instanceof Field)) {
      shown[key] = present(node, value);
    } else {
      const inner = node.of ? present(node.of, value) : value;
      const final = node.show ? node.show(inner) : inner;
      if (final !== undefined) shown[key] = final;
    }
  }
  return shown;
}
