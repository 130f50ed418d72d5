import type { Invalid } from '../errors.ts';
import { withoutTrailing } from '../model/trailing.ts';
import { unknownName } from '../near-names.ts';
import type { Comparison, Condition, Literal } from './ast.ts';
import { ancestorOfPattern, isEqualityOperand, operandOf } from './ecm.ts';
import { correlated } from './elements/correlation.ts';
import { elementsSql } from './elements/operands.ts';
import { daySql } from './indexes/days.ts';
import { indexedOrderOf } from './indexes/indexed-order.ts';
import { escapedPattern, hasRareWord, hasTrigrams, prefixOfPattern } from './indexes/patterns.ts';
import { operandOfTerms } from './indexes/term-values.ts';
import { textConditionSql } from './indexes/text-condition.ts';
import { titleColumnSql, titlePrefixSql, titleRangeSql, titleWordsSql } from './indexes/titles.ts';
import { prefixPattern } from './like.ts';
import { type Compilation, type Operand, someTermSql, someValueSql } from './operand.ts';
import { QueryFault } from './query-fault.ts';
import { withPositionInErrors } from './tokens.ts';
import { toSqlValue, toUuids } from './values.ts';

type Of<Kind, One = Condition> = One extends { kind: infer Kinds }
  ? Kind extends Kinds
    ? One
    : never
  : never;

const unsuitable = (property: string, what: string): Invalid =>
  new QueryFault(`${property} cannot be compared by ${what}`);

/**
 * How SQL expressions for each kind of value are compared. Dates are stored as strings whose byte order (`COLLATE "C"`)
 * is chronological.
 */
const types = {
  string: { type: 'text', isOrdered: true, collation: ' COLLATE "C"' },
  date: { type: 'text', isOrdered: true, collation: ' COLLATE "C"' },
  number: { type: 'numeric', isOrdered: true, collation: '' },
  boolean: { type: 'boolean', isOrdered: false, collation: '' },
} as const;

/**
 * Returns a value that is compared with an operand, as text.
 * @throws QueryFault if it is not of the operand's kind
 */
const textOf = (
  { valueKind = 'string' }: Extract<ReturnType<typeof operandOf>, { equals: unknown }>,
  property: string,
  value: Literal,
  { now }: Compilation,
): string => String(toSqlValue(valueKind, property, value, now));

/**
 * Returns the condition that a property equals one of several values. It uses the fastest available method: SQL
 * specific to the property, the hashes of search terms (`d.keys`, which has a GIN index), an index of another table, or
 * a comparison with the value itself.
 */
function equalsAny(property: string, values: readonly Literal[], compilation: Compilation): string {
  const { parameters, budget } = compilation;
  const operand = operandOf(property, compilation);
  budget.spend('values', values.length);
  if (isEqualityOperand(operand)) {
    return operand.equals(
      values.map((value) => textOf(operand, property, value, compilation)),
      compilation,
    );
  }
  const { kind, normalize, term, isAny } = operand;
  if (kind === 'object') throw unsuitable(property, 'value, because it has fields');
  if (kind === 'id') {
    const ids = parameters.add(
      values.flatMap((value) => toUuids(property, value)),
      'uuid[]',
    );
    return someValueSql(operand, (value) => `${value} = ANY(${ids})`);
  }
  const read = values.map((value) => toSqlValue(kind, property, value, compilation.now));
  const normalized = normalize ? read.map((text) => normalize(String(text))) : read;
  if (term) return someTermSql(term, kind, normalized.map(String), compilation);
  if (isAny && !compilation.isNegated) return isAny(normalized.map(String), compilation);
  const { type } = types[kind];
  if (normalized.length === 1) {
    const one = parameters.add(normalized[0], type);
    return someValueSql(operand, (value) => `${value} = ${one}`);
  }
  const all = parameters.add(normalized, `${type}[]`);
  return someValueSql(operand, (value) => `${value} = ANY(${all})`);
}

function requireOrdered(property: string, operand: ReturnType<typeof operandOf>, what: string) {
  const hasOrder = !isEqualityOperand(operand) && operand.kind !== 'id' && operand.kind !== 'object';
  if (!hasOrder || !types[operand.kind].isOrdered) throw unsuitable(property, what);
  return { operand, kind: operand.kind, ...types[operand.kind] };
}

function orderedOperand(property: string, compilation: Compilation, what: string) {
  const ordered = requireOrdered(property, operandOf(property, compilation), what);
  return { ...ordered, operand: operandOfTerms(ordered.operand, compilation) };
}

/**
 * Adds a condition on the indexed column `title` to a comparison of titles. The condition is true for every title that
 * satisfies the comparison, so it does not change the result but makes the search faster. Within a NOT, it would only
 * cost time, so it is omitted.
 */
function withTitleRange(
  { term }: Operand,
  limits: { min?: string; max?: string },
  test: string,
  compilation: Compilation,
): string {
  if (term !== 'dc:title' || compilation.isNegated) return test;
  return `(${test} AND ${titleRangeSql(limits, compilation)})`;
}

function requireText(property: string, operand: ReturnType<typeof operandOf>, what: string): Operand {
  const { kind, operand: text } = requireOrdered(property, operand, what);
  if (kind !== 'string') throw unsuitable(property, `${what}, because it is not a string`);
  return text;
}

function compareOrdered(
  property: string,
  op: Exclude<Comparison, '<>' | '='>,
  literal: Literal,
  compilation: Compilation,
) {
  const { operand, kind, type, collation } = orderedOperand(property, compilation, op);
  const bound = toSqlValue(kind, property, literal, compilation.now);
  const limit = compilation.parameters.add(bound, type);
  const test = someValueSql(operand, (value) => `${value}${collation} ${op} ${limit}`);
  const limits = op.startsWith('<') ? { max: String(bound) } : { min: String(bound) };
  return withTitleRange(operand, limits, test, compilation);
}

/** Returns the condition that one of the property's dates is on a day that satisfies all comparisons. */
function compareDays(
  property: string,
  comparisons: ReadonlyArray<Pick<Of<'compare'>, 'op' | 'value'>>,
  compilation: Compilation,
): string {
  const { operand, kind, collation } = orderedOperand(property, compilation, 'day');
  if (kind !== 'date') throw unsuitable(property, 'day, because it is not a date');
  const add = (text: string) => compilation.parameters.add(text, 'text');
  const days = comparisons.map(({ op, value }) => {
    const day = String(toSqlValue(kind, property, value, compilation.now)).slice(0, 10);
    return (date: string) => daySql(`${date}${collation}`, op, day, add);
  });
  return someValueSql(operand, (date) => days.map((isWithin) => isWithin(date)).join(' AND '));
}

/**
 * Negates a condition. The negation is true if the condition is NULL, because a condition on a property that is not set
 * is false rather than unknown.
 */
const not = (condition: string): string => `(${condition}) IS NOT TRUE`;

function compare(condition: Of<'compare'>, compilation: Compilation): string {
  const { property, op, value, byDay } = condition;
  if (byDay) {
    const test = compareDays(property, [{ op, value }], compilation);
    return op === '<>' ? not(test) : test;
  }
  if (op === '=') return equalsAny(property, [value], compilation);
  if (op === '<>') return not(equalsAny(property, [value], compilation));
  return compareOrdered(property, op, value, compilation);
}

/**
 * Compiles LIKE and ILIKE. Without an index, PostgreSQL would have to test every document. Therefore, the exact test is
 * combined by AND with conditions that are true for every match and that an index can evaluate: for titles, an index of
 * prefixes and the full-text index; for paths, the ancestors of documents; for other strings, a trigram index if there
 * is one (`textConditionSql`). These conditions are omitted within a NOT, which no index can evaluate.
 */
function like({ property, pattern: input, ignoresCase }: Of<'like'>, compilation: Compilation): string {
  const op = ignoresCase ? 'ILIKE' : 'LIKE';
  const { parameters, isNegated } = compilation;
  const operand = requireText(property, operandOf(property, compilation), op);
  const pattern = escapedPattern(input);
  const isTitle = operand.term === 'dc:title';
  if (isTitle && !ignoresCase && prefixOfPattern(pattern) === pattern)
    return `(${titlePrefixSql(pattern, compilation)})`;
  const like = parameters.add(pattern, 'text');
  const test = (value: string) => `${value} ${op} ${like}`;
  // The column `name` has a trigram index. For a pattern without trigrams, PostgreSQL would scan the whole index,
  // which is slower than comparing the documents that the other conditions find. `IS TRUE` prevents PostgreSQL from
  // using the index.
  if (property === 'ecm:name' && !hasTrigrams(pattern)) return `(${someValueSql(operand, test)}) IS TRUE`;
  if (property === 'ecm:path' && !ignoresCase)
    return `(${someValueSql(operand, test)} AND ${ancestorOfPattern(pattern, compilation)})`;
  if (!isTitle || isNegated) return textConditionSql(operand, { test, op, pattern }, compilation);
  const hasWords = titleWordsSql(pattern, compilation);
  const found =
    hasWords !== undefined && hasRareWord(pattern)
      ? someValueSql(operandOfTerms(operand, compilation), test)
      : textConditionSql(operand, { test, op, pattern }, compilation);
  const hasPrefix = ignoresCase ? undefined : titlePrefixSql(pattern, compilation);
  const canMatch = hasWords === undefined ? undefined : titleColumnSql(test);
  return `(${[canMatch, found, hasPrefix, hasWords].filter((one) => one !== undefined).join(' AND ')})`;
}

/**
 * Compiles STARTSWITH: the value must equal the prefix, or begin with the prefix and a slash ("art" matches
 * "art/modern").
 */
function startsWith({ property, prefix }: Of<'startsWith'>, compilation: Compilation): string {
  const operand = operandOf(property, compilation);
  if ('below' in operand && operand.below) return operand.below(prefix, compilation);
  const text = requireText(property, operand, 'STARTSWITH');
  const folder = withoutTrailing(prefix, '/');
  const below = compilation.parameters.add(`${folder}/`, 'text');
  const test = (value: string) => `starts_with(${value} || '/', ${below})`;
  return textConditionSql(text, { test, op: 'LIKE', pattern: prefixPattern(folder) }, compilation);
}

function isNull({ property }: Of<'isNull'>, compilation: Compilation, isSet = false): string {
  const operand = operandOf(property, compilation);
  if (isEqualityOperand(operand)) throw unsuitable(property, 'IS NULL');
  const indexed = indexedOrderOf(operand, compilation);
  if (indexed !== undefined) return `${indexed} IS ${isSet ? 'NOT ' : ''}NULL`;
  const test = someValueSql(operand, (value) => `${value} IS NOT NULL`);
  return isSet ? test : not(test);
}

type Leaf = Exclude<Condition, { readonly of: unknown }>;

const compilers: { readonly [Kind in Leaf['kind']]: (of: Of<Kind>, with_: Compilation) => string } = {
  compare,
  like,
  in: ({ property, values }, compilation) => equalsAny(property, values, compilation),
  between: ({ property, from, to, isHalfOpen, byDay }, compilation) => {
    if (byDay) {
      const ends = [{ op: '>=', value: from } as const, { op: '<=', value: to } as const];
      return compareDays(property, ends, compilation);
    }
    const { operand, kind, type, collation } = orderedOperand(property, compilation, 'BETWEEN');
    const ends = [from, to].map((end) => toSqlValue(kind, property, end, compilation.now));
    const [min, max] = ends.map((end) => compilation.parameters.add(end, type));
    const op = isHalfOpen ? '<' : '<=';
    const test = someValueSql(
      operand,
      (value) => `${value}${collation} >= ${min} AND ${value}${collation} ${op} ${max}`,
    );
    return withTitleRange(operand, { min: String(ends[0]), max: String(ends[1]) }, test, compilation);
  },
  isNull: (condition, compilation) => isNull(condition, compilation),
  startsWith,
};

/**
 * The maximum number of required conditions that are subqueries. PostgreSQL turns each of them into a join and
 * considers all join orders, so planning would take seconds with just a few more. `(…) IS TRUE` prevents PostgreSQL
 * from turning the other subqueries into joins.
 */
const maxJoins = 8;

function leafSql(condition: Leaf, compilation: Compilation, isRequired: boolean): string {
  compilation.budget.spend('conditions');
  const compiler = compilers[condition.kind] as (of: Condition, compilation: Compilation) => string;
  return limitJoins(compiler(condition, compilation), compilation, isRequired);
}

function limitJoins(text: string, compilation: Compilation, isRequired: boolean): string {
  if (!isRequired || !text.includes('SELECT')) return text;
  compilation.counts.joins += 1;
  return compilation.counts.joins > maxJoins ? `(${text}) IS TRUE` : text;
}

/**
 * Compiles a condition that some combination of numbered elements must satisfy. For a list without elements, LEFT JOIN
 * returns one element that is not set, so that negated conditions are true for it.
 */
function someSql({ elements: names, of }: Of<'some'>, compilation: Compilation): string {
  const elements = new Map(compilation.elements);
  const joins = names.map((name) => {
    const alias = `e${elements.size}`;
    elements.set(name, alias);
    return `LEFT JOIN LATERAL ${elementsSql(name, compilation)} AS ${alias} (json) ON true`;
  });
  const within = { ...compilation, elements };
  return `EXISTS (SELECT FROM (VALUES (1)) AS one ${joins.join(' ')} WHERE ${compile(of, within, false)})`;
}

/**
 * Compiles a condition.
 * @param isRequired whether every found document must satisfy the condition, which is the case if it is nested only in
 * ANDs
 */
const compile = (condition: Condition, compilation: Compilation, isRequired: boolean): string =>
  withPositionInErrors(condition.kind === 'some' ? condition.of : condition, () =>
    compiled(condition, compilation, isRequired),
  );

function compiled(condition: Condition, compilation: Compilation, isRequired: boolean): string {
  if (condition.kind === 'not' && condition.of.kind === 'isNull') {
    compilation.budget.spend('conditions');
    return `(${limitJoins(isNull(condition.of, compilation, true), compilation, isRequired)})`;
  }
  if (condition.kind === 'not')
    return `(${not(compile(condition.of, { ...compilation, isNegated: true }, false))})`;
  if (condition.kind === 'some')
    return `(${limitJoins(someSql(condition, compilation), compilation, isRequired)})`;
  if (!('of' in condition)) return `(${leafSql(condition, compilation, isRequired)})`;
  const isAnd = condition.kind === 'and';
  const parts = condition.of.map((one) => compile(one, compilation, isRequired && isAnd));
  const distinct = [...new Set(parts)]; // PostgreSQL would plan and evaluate each occurrence of a condition.
  return `(${distinct.join(isAnd ? ' AND ' : ' OR ') || String(isAnd)})`;
}

/**
 * The types of workflow models and comments. A query finds them only if it names their type, not if it names a
 * supertype.
 */
const foundByOwnTypeOnly: ReadonlySet<string> = new Set([
  'DocumentRoute',
  'DocumentRouteModelsRoot',
  'CommentRoot',
  'Comment',
]);

/**
 * Returns the condition that a document has one of the types or one of their subtypes.
 * @throws QueryFault if a type is unknown
 */
function typesSql(names: readonly string[], { model, parameters }: Compilation): string {
  const from = new Set(names);
  const isSelected = (type: string | undefined): boolean =>
    type !== undefined &&
    (from.has(type) || (!foundByOwnTypeOnly.has(type) && isSelected(model.types.get(type)?.parent)));
  const requireType = (type: string) => {
    if (!model.types.has(type)) throw new QueryFault(unknownName('type', type, model.types.keys()));
  };
  for (const [index, type] of names.entries()) withPositionInErrors(names, () => requireType(type), index);
  const all = [...model.types.keys()];
  // This excludes the unselected types instead of listing the selected ones, so that documents whose type is no longer
  // in the model are also found.
  if (from.has('Document')) {
    const excluded = all.filter((type) => !isSelected(type));
    return `d.type <> ALL(${parameters.add(excluded, 'text[]')})`;
  }
  return `d.type = ANY(${parameters.add(all.filter(isSelected), 'text[]')})`;
}

/**
 * Compiles FROM and WHERE to a SQL condition on documents `d` of the view `searchable`.
 * @throws QueryFault if a type or property is unknown, or a property does not support an operator
 */
export function conditionSql(
  { from, where }: { readonly from: readonly string[]; readonly where?: Condition },
  compilation: Compilation,
): string {
  const types = typesSql(from, compilation);
  return where ? `${types} AND ${compile(correlated(where), compilation, true)}` : types;
}
