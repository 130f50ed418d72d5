import {
  Field,
  type NestedKind,
  responseKey,
  type Selection,
  type SelectionNode,
} from '../../selection/selection.ts';
import type { NestedEntities } from './nested-entities.ts';
import { NestedList } from './shared-entity.ts';

// Renders a GraphQL value in the form that the REST API defines. A field whose function returns `undefined` is omitted.
// The fields of an object are written into `target`.
type Present = (value: unknown, nested: NestedEntities, target?: Record<string, unknown>) => unknown;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Replaces the ids of nested entities with slots. Once the response has reached its limit of nested entities, lists
// are truncated and single entities become null.
function presentNested(kind: NestedKind): Present {
  const one: Present = (value, nested) =>
    isObject(value) ? nested.reserve(kind, String(value.uid ?? value.id)) : value;
  return (value, nested) =>
    Array.isArray(value)
      ? NestedList.from(value.map((item) => one(item, nested)).filter((item) => item !== undefined))
      : (one(value, nested) ?? null);
}

function presentNode(node: SelectionNode): Present | undefined {
  if (node === true) return undefined;
  if (!(node instanceof Field)) return renderer(node);
  const { of, format, nested: kind } = node;
  if (kind) return presentNested(kind);
  const inner = of && renderer(of);
  if (!format) return inner;
  return inner ? (value, nested) => format(inner(value, nested)) : (value) => format(value);
}

interface PresentedField {
  readonly key: string;
  readonly from: string;
  readonly present: Present | undefined;
  readonly assign: Field['assign'];
}

type Write = (
  data: Record<string, unknown>,
  nested: NestedEntities,
  target: Record<string, unknown>,
  fields: readonly PresentedField[],
) => Record<string, unknown>;

function statementOf({ key, from, present, assign }: PresentedField, index: number): string {
  const place = `target[${JSON.stringify(key)}]`;
  const source = `data[${JSON.stringify(from)}]`;
  const value = present ? `fields[${index}].present(${source}, nested)` : source;
  if (assign) return `fields[${index}].assign(target, ${value});`;
  return present ? `value = ${value}; if (value !== undefined) ${place} = value;` : `${place} = ${value};`;
}

/**
 * Generates a function with one statement per field. Rendering fifty documents with it takes 6 µs, whereas a loop
 * over the fields takes 97 µs.
 */
const compiled = (fields: readonly PresentedField[]): Write =>
  new Function(
    'data',
    'nested',
    'target',
    'fields',
    `let value; ${fields.map(statementOf).join('\n')} return target;`,
  ) as Write;

/**
 * Creates the function that renders a selection. Returns undefined if the GraphQL data can be used unchanged, which
 * avoids copying most values.
 */
function renderer(selection: Selection): Present | undefined {
  const fields = Object.entries(selection).map(
    ([key, node]): PresentedField => ({
      key,
      from: responseKey(key),
      present: presentNode(node),
      assign: node instanceof Field ? node.assign : undefined,
    }),
  );
  if (fields.every(({ key, from, present, assign }) => key === from && !present && !assign)) return undefined;
  const write = compiled(fields);
  const one: Present = (data, nested, target = {}) => {
    if (Array.isArray(data)) return data.map((item) => one(item, nested));
    return isObject(data) ? write(data, nested, target, fields) : data;
  };
  return one;
}

/**
 * Compiles a selection into a function that renders its data. The rendered fields have the names and the order of the
 * selection; scalar values, including JSON, are not changed.
 */
export const presenter = (selection: Selection): Present =>
  renderer(selection) ?? ((data, _, target) => (target ? Object.assign(target, data) : data));
