import { Invalid } from '../errors.ts';
import type { Comparison, Condition, Literal, Sort } from './ast.ts';
import { isSpecial, operandOf } from './ecm.ts';
import { type Compilation, type Operand, some } from './operand.ts';
import { idOf, readAs, textOf } from './values.ts';

type Of<Kind, One = Condition> = One extends { kind: infer Kinds }
  ? Kind extends Kinds
    ? One
    : never
  : never;

const cannot = (property: string, what: string): Invalid =>
  new Invalid(`query: ${property} cannot be compared by ${what}`);

/** How values of a kind are written down, and whether one can be less than another. */
const types = {
  string: { type: 'text', isOrdered: true, collation: ' COLLATE "C"' },
  date: { type: 'text', isOrdered: true, collation: ' COLLATE "C"' },
  number: { type: 'numeric', isOrdered: true, collation: '' },
  boolean: { type: 'boolean', isOrdered: false, collation: '' },
} as const;

/** That a property is one of some values. */
function isAny(property: string, values: readonly Literal[], compilation: Compilation): string {
  const operand = operandOf(property, compilation);
  const { parameters } = compilation;
  if (isSpecial(operand)) {
    return operand.equals(
      values.map((value) => textOf(property, value)),
      compilation,
    );
  }
  const { kind, spelled } = operand;
  if (kind === 'object') throw cannot(property, 'value: it has fields');
  if (kind === 'id') {
    const ids = parameters.add(
      values.flatMap((value) => idOf(property, value)),
      'uuid[]',
    );
    return some(operand, (value) => `${value} = ANY(${ids})`);
  }
  const read = values.map((value) => readAs(kind, property, value, compilation.now));
  const given = spelled ? read.map((text) => spelled(String(text))) : read;
  const { type } = types[kind];
  if (given.length === 1) {
    const one = parameters.add(given[0], type);
    return some(operand, (value) => `${value} = ${one}`);
  }
  const all = parameters.add(given, `${type}[]`);
  return some(operand, (value) => `${value} = ANY(${all})`);
}

/** @throws Invalid unless the values of a property have an order. */
function ordered(property: string, operand: ReturnType<typeof operandOf>, what: string) {
  const hasOrder = !isSpecial(operand) && operand.kind !== 'id' && operand.kind !== 'object';
  if (!hasOrder || !types[operand.kind].isOrdered) throw cannot(property, what);
  return { operand, kind: operand.kind, ...types[operand.kind] };
}

const orderedOperand = (property: string, compilation: Compilation, what: string) =>
  ordered(property, operandOf(property, compilation), what);

/** @throws Invalid unless the values of a property are texts. */
function textual(property: string, operand: ReturnType<typeof operandOf>, what: string): Operand {
  const { kind, operand: text } = ordered(property, operand, what);
  if (kind !== 'string') throw cannot(property, `${what}: it is no text`);
  return text;
}

function isOrdered(
  property: string,
  op: Exclude<Comparison, '<>' | '='>,
  literal: Literal,
  compilation: Compilation,
) {
  const { operand, kind, type, collation } = orderedOperand(property, compilation, op);
  const given = compilation.parameters.add(readAs(kind, property, literal, compilation.now), type);
  return some(operand, (value) => `${value}${collation} ${op} ${given}`);
}

/** What holds of the days of dates. */
function isOnDay({ property, op, value }: Of<'compare'>, compilation: Compilation): string {
  const { operand, kind } = orderedOperand(property, compilation, op);
  if (kind !== 'date') throw cannot(property, 'day: it is no date');
  const day = String(readAs(kind, property, value, compilation.now)).slice(0, 10);
  const given = compilation.parameters.add(day, 'text');
  const test = op === '<>' ? '=' : op;
  const held = some(operand, (date) => `left(${date}, 10) COLLATE "C" ${test} ${given}`);
  return op === '<>' ? not(held) : held;
}

/** What is unset is neither this nor that: what does not hold is all that is not true. */
const not = (condition: string): string => `(${condition}) IS NOT TRUE`;

function compare(condition: Of<'compare'>, compilation: Compilation): string {
  const { property, op, value, byDay } = condition;
  if (byDay) return isOnDay(condition, compilation);
  if (op === '=') return isAny(property, [value], compilation);
  if (op === '<>') return not(isAny(property, [value], compilation));
  return isOrdered(property, op, value, compilation);
}

function like({ property, pattern, ignoresCase }: Of<'like'>, compilation: Compilation): string {
  const op = ignoresCase ? 'ILIKE' : 'LIKE';
  const operand = textual(property, operandOf(property, compilation), op);
  const trailing = /\\*$/.exec(pattern)?.[0].length ?? 0;
  // A last backslash that nothing follows stands for itself.
  const given = compilation.parameters.add(trailing % 2 === 1 ? `${pattern}\\` : pattern, 'text');
  return some(operand, (value) => `${value} ${op} ${given}`);
}

function startsWith({ property, prefix }: Of<'startsWith'>, compilation: Compilation): string {
  const operand = operandOf(property, compilation);
  if ('below' in operand && operand.below) return operand.below(prefix, compilation);
  const text = textual(property, operand, 'STARTSWITH');
  const given = compilation.parameters.add(`${prefix.replace(/\/+$/, '')}/`, 'text');
  return some(text, (value) => `starts_with(${value} || '/', ${given})`);
}

function isNull({ property }: Of<'isNull'>, compilation: Compilation): string {
  const operand = operandOf(property, compilation);
  if (isSpecial(operand)) throw cannot(property, 'IS NULL');
  return not(some(operand, (value) => `${value} IS NOT NULL`));
}

/** How each kind of condition is said in SQL. */
const compilers: { readonly [Kind in Condition['kind']]: (of: Of<Kind>, with_: Compilation) => string } = {
  and: ({ of }, compilation) => of.map((one) => compiled(one, compilation)).join(' AND ') || 'true',
  or: ({ of }, compilation) => of.map((one) => compiled(one, compilation)).join(' OR ') || 'false',
  not: ({ of }, compilation) => not(compiled(of, compilation)),
  compare,
  like,
  in: ({ property, values }, compilation) => isAny(property, values, compilation),
  between: ({ property, from, to, isHalfOpen }, compilation) => {
    const { operand, kind, type, collation } = orderedOperand(property, compilation, 'BETWEEN');
    const [least, most] = [from, to].map((end) =>
      compilation.parameters.add(readAs(kind, property, end, compilation.now), type),
    );
    const last = isHalfOpen ? '<' : '<=';
    return some(
      operand,
      (value) => `${value}${collation} >= ${least} AND ${value}${collation} ${last} ${most}`,
    );
  },
  isNull,
  startsWith,
};

const compiled = (condition: Condition, compilation: Compilation): string => {
  const compiler = compilers[condition.kind] as (of: Condition, compilation: Compilation) => string;
  return `(${compiler(condition, compilation)})`;
};

/**
 * The documents of some types, and of all that inherit from them.
 * @throws Invalid on a type that there is not.
 */
function isOfTypes(from: readonly string[], { model, parameters }: Compilation): string {
  const above = (type: string): string[] => {
    const parent = model.types.get(type)?.parent;
    return parent === undefined ? [type] : [type, ...above(parent)];
  };
  for (const type of from)
    if (!model.types.has(type)) throw new Invalid(`query: Type: ${type} does not exist`);
  const all = [...model.types.keys()];
  const isWanted = (type: string): boolean => above(type).some((ancestor) => from.includes(ancestor));
  // Also those whose type was taken from the model.
  if (from.includes('Document')) {
    return `d.type <> ALL(${parameters.add(
      all.filter((type) => !isWanted(type)),
      'text[]',
    )})`;
  }
  return `d.type = ANY(${parameters.add(all.filter(isWanted), 'text[]')})`;
}

/** What is looked for, as a condition on documents `d`. @throws Invalid on what the model does not have, or cannot be compared. */
export function conditionSql(
  { from, where }: { readonly from: readonly string[]; readonly where?: Condition },
  compilation: Compilation,
): string {
  const types = isOfTypes(from, compilation);
  return where ? `${types} AND ${compiled(where, compilation)}` : types;
}

/** More keys than this order nothing any more. */
const mostSortKeys = 20;

/** What documents `d` are sorted by, the most significant first. @throws Invalid on a property that has no order. */
export function sortSql(
  orderBy: readonly Sort[],
  compilation: Compilation,
): Array<{ value: string; isAscending: boolean }> {
  if (orderBy.length > mostSortKeys)
    throw new Invalid(`query: sorted by more than ${mostSortKeys} properties`);
  return orderBy.map(({ property, isAscending }) => {
    if (property === 'dc:title') return { value: 'd.title', isAscending };
    const operand = operandOf(property, compilation);
    if (isSpecial(operand) || operand.from !== undefined || operand.kind === 'object') {
      throw new Invalid(`query: ${property} is not a property that can be sorted by`);
    }
    const { value, when } = operand;
    return { value: when ? `CASE WHEN ${when} THEN ${value} END` : value, isAscending };
  });
}

export { Parameters } from './parameters.ts';
