import type { Invalid } from '../errors.ts';
import { withoutTrailing } from '../model/trailing.ts';
import { unknownName } from '../near-names.ts';
import type { Comparison, Condition, Literal } from './ast.ts';
import { aroundPattern, isEqualityOperand, operandOf } from './ecm.ts';
import { correlated } from './elements/correlation.ts';
import { elementsSql } from './elements/operands.ts';
import { amongTexts } from './indexes/among-texts.ts';
import { daySql } from './indexes/days.ts';
import { keptOrderOf } from './indexes/kept-order.ts';
import { beginningOf, hasRareWord, hasTrigrams, soundPattern } from './indexes/patterns.ts';
import { operandOfTerms } from './indexes/term-values.ts';
import { titleBeginsAs, titleHasWordsOf, titleMayMatch, titlesWithin } from './indexes/titles.ts';
import { prefixPattern } from './like.ts';
import { type Compilation, type Operand, someTermSql, someValueSql } from './operand.ts';
import { QueryFault } from './query-fault.ts';
import { atPlaceOf } from './tokens.ts';
import { toSqlValue, toText, toUuids } from './values.ts';

type Of<Kind, One = Condition> = One extends { kind: infer Kinds }
  ? Kind extends Kinds
    ? One
    : never
  : never;

const cannot = (property: string, what: string): Invalid =>
  new QueryFault(`${property} cannot be compared by ${what}`);

const types = {
  string: { type: 'text', isOrdered: true, collation: ' COLLATE "C"' },
  date: { type: 'text', isOrdered: true, collation: ' COLLATE "C"' },
  number: { type: 'numeric', isOrdered: true, collation: '' },
  boolean: { type: 'boolean', isOrdered: false, collation: '' },
} as const;

function equalsAny(property: string, values: readonly Literal[], compilation: Compilation): string {
  const { parameters, budget } = compilation;
  const operand = operandOf(property, compilation);
  budget.spend('values', values.length);
  if (isEqualityOperand(operand)) {
    return operand.equals(
      values.map((value) => toText(property, value)),
      compilation,
    );
  }
  const { kind, normalize, term, isAny } = operand;
  if (kind === 'object') throw cannot(property, 'value: it has fields');
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
  if (!hasOrder || !types[operand.kind].isOrdered) throw cannot(property, what);
  return { operand, kind: operand.kind, ...types[operand.kind] };
}

function orderedOperand(property: string, compilation: Compilation, what: string) {
  const ordered = requireOrdered(property, operandOf(property, compilation), what);
  return { ...ordered, operand: operandOfTerms(ordered.operand, compilation) };
}

function withTitles(
  { term }: Operand,
  limits: { least?: string; most?: string },
  test: string,
  compilation: Compilation,
): string {
  if (term !== 'dc:title' || compilation.isNegated) return test;
  return `(${test} AND ${titlesWithin(limits, compilation)})`;
}

function requireText(property: string, operand: ReturnType<typeof operandOf>, what: string): Operand {
  const { kind, operand: text } = requireOrdered(property, operand, what);
  if (kind !== 'string') throw cannot(property, `${what}: it is no text`);
  return text;
}

function compareOrdered(
  property: string,
  op: Exclude<Comparison, '<>' | '='>,
  literal: Literal,
  compilation: Compilation,
) {
  const { operand, kind, type, collation } = orderedOperand(property, compilation, op);
  const given = toSqlValue(kind, property, literal, compilation.now);
  const limit = compilation.parameters.add(given, type);
  const test = someValueSql(operand, (value) => `${value}${collation} ${op} ${limit}`);
  const limits = op.startsWith('<') ? { most: String(given) } : { least: String(given) };
  return withTitles(operand, limits, test, compilation);
}

/** All comparisons hold for the day of one value. */
function compareDays(
  property: string,
  comparisons: ReadonlyArray<Pick<Of<'compare'>, 'op' | 'value'>>,
  compilation: Compilation,
): string {
  const { operand, kind, collation } = orderedOperand(property, compilation, 'day');
  if (kind !== 'date') throw cannot(property, 'day: it is no date');
  const add = (text: string) => compilation.parameters.add(text, 'text');
  const days = comparisons.map(({ op, value }) => {
    const day = String(toSqlValue(kind, property, value, compilation.now)).slice(0, 10);
    return (date: string) => daySql(`${date}${collation}`, op, day, add);
  });
  return someValueSql(operand, (date) => days.map((isWithin) => isWithin(date)).join(' AND '));
}

/** Also true for NULL: a condition never holds for an unset property, so its negation does. */
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

function like({ property, pattern: given, ignoresCase }: Of<'like'>, compilation: Compilation): string {
  const op = ignoresCase ? 'ILIKE' : 'LIKE';
  const { parameters, isNegated } = compilation;
  const operand = requireText(property, operandOf(property, compilation), op);
  const pattern = soundPattern(given);
  const isTitle = operand.term === 'dc:title';
  if (isTitle && !ignoresCase && beginningOf(pattern) === pattern)
    return `(${titleBeginsAs(pattern, compilation)})`;
  const like = parameters.add(pattern, 'text');
  const test = (value: string) => `${value} ${op} ${like}`;
  // Names are a column with an index of trigrams, which is read from end to end where the pattern has none.
  if (property === 'ecm:name' && !hasTrigrams(pattern)) return `(${someValueSql(operand, test)}) IS TRUE`;
  if (property === 'ecm:path' && !ignoresCase)
    return `(${someValueSql(operand, test)} AND ${aroundPattern(pattern, compilation)})`;
  if (!isTitle || isNegated) return amongTexts(operand, { test, op, pattern }, compilation);
  const hasWords = titleHasWordsOf(pattern, compilation);
  const found =
    hasWords !== undefined && hasRareWord(pattern)
      ? someValueSql(operandOfTerms(operand, compilation), test)
      : amongTexts(operand, { test, op, pattern }, compilation);
  const begins = ignoresCase ? undefined : titleBeginsAs(pattern, compilation);
  const mayMatch = hasWords === undefined ? undefined : titleMayMatch(test);
  return `(${[mayMatch, found, begins, hasWords].filter((one) => one !== undefined).join(' AND ')})`;
}

function startsWith({ property, prefix }: Of<'startsWith'>, compilation: Compilation): string {
  const operand = operandOf(property, compilation);
  if ('below' in operand && operand.below) return operand.below(prefix, compilation);
  const text = requireText(property, operand, 'STARTSWITH');
  const folder = withoutTrailing(prefix, '/');
  const below = compilation.parameters.add(`${folder}/`, 'text');
  const test = (value: string) => `starts_with(${value} || '/', ${below})`;
  return amongTexts(text, { test, op: 'LIKE', pattern: prefixPattern(folder) }, compilation);
}

function isNull({ property }: Of<'isNull'>, compilation: Compilation, isSet = false): string {
  const operand = operandOf(property, compilation);
  if (isEqualityOperand(operand)) throw cannot(property, 'IS NULL');
  const kept = keptOrderOf(operand, compilation);
  if (kept !== undefined) return `${kept} IS ${isSet ? 'NOT ' : ''}NULL`;
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
    const [least, most] = [from, to].map((end) => toSqlValue(kind, property, end, compilation.now));
    const [min, max] = [least, most].map((end) => compilation.parameters.add(end, type));
    const op = isHalfOpen ? '<' : '<=';
    const test = someValueSql(
      operand,
      (value) => `${value}${collation} >= ${min} AND ${value}${collation} ${op} ${max}`,
    );
    return withTitles(operand, { least: String(least), most: String(most) }, test, compilation);
  },
  isNull: (condition, compilation) => isNull(condition, compilation),
  startsWith,
};

/** Conditions with a subquery that PostgreSQL may make a join of: more of them take it seconds to plan. */
const mostJoins = 8;

function leafSql(condition: Leaf, compilation: Compilation, isRequired: boolean): string {
  compilation.budget.spend('conditions');
  const compiler = compilers[condition.kind] as (of: Condition, compilation: Compilation) => string;
  return planned(compiler(condition, compilation), compilation, isRequired);
}

function planned(text: string, compilation: Compilation, isRequired: boolean): string {
  if (!isRequired || !text.includes('SELECT')) return text;
  compilation.counts.joins += 1;
  return compilation.counts.joins > mostJoins ? `(${text}) IS TRUE` : text;
}

/** A list without elements has one that is unset, so that negated conditions hold for it. */
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

/** @param isRequired whether no document is found for which the condition does not hold. */
const compile = (condition: Condition, compilation: Compilation, isRequired: boolean): string =>
  atPlaceOf(condition.kind === 'some' ? condition.of : condition, () =>
    compiled(condition, compilation, isRequired),
  );

function compiled(condition: Condition, compilation: Compilation, isRequired: boolean): string {
  if (condition.kind === 'not' && condition.of.kind === 'isNull') {
    compilation.budget.spend('conditions');
    return `(${planned(isNull(condition.of, compilation, true), compilation, isRequired)})`;
  }
  if (condition.kind === 'not')
    return `(${not(compile(condition.of, { ...compilation, isNegated: true }, false))})`;
  if (condition.kind === 'some')
    return `(${planned(someSql(condition, compilation), compilation, isRequired)})`;
  if (!('of' in condition)) return `(${leafSql(condition, compilation, isRequired)})`;
  const isAnd = condition.kind === 'and';
  const parts = condition.of.map((one) => compile(one, compilation, isRequired && isAnd));
  const distinct = [...new Set(parts)]; // equal ones are planned once
  return `(${distinct.join(isAnd ? ' AND ' : ' OR ') || String(isAnd)})`;
}

/** Types of workflow models and comments, which only a query of these types finds. */
const foundAlone: ReadonlySet<string> = new Set([
  'DocumentRoute',
  'DocumentRouteModelsRoot',
  'CommentRoot',
  'Comment',
]);

/** Selects the types and their subtypes. @throws Invalid on an unknown type. */
function typesSql(names: readonly string[], { model, parameters }: Compilation): string {
  const from = new Set(names);
  const isSelected = (type: string | undefined): boolean =>
    type !== undefined &&
    (from.has(type) || (!foundAlone.has(type) && isSelected(model.types.get(type)?.parent)));
  const requireType = (type: string) => {
    if (!model.types.has(type)) throw new QueryFault(unknownName('type', type, model.types.keys()));
  };
  for (const [index, type] of names.entries()) atPlaceOf(names, () => requireType(type), index);
  const all = [...model.types.keys()];
  // Excludes the other types, to include documents whose type is no longer in the model.
  if (from.has('Document')) {
    const excluded = all.filter((type) => !isSelected(type));
    return `d.type <> ALL(${parameters.add(excluded, 'text[]')})`;
  }
  return `d.type = ANY(${parameters.add(all.filter(isSelected), 'text[]')})`;
}

/** Compiles to a condition on documents `d`. @throws Invalid on an unknown type or unsuitable property. */
export function conditionSql(
  { from, where }: { readonly from: readonly string[]; readonly where?: Condition },
  compilation: Compilation,
): string {
  const types = typesSql(from, compilation);
  return where ? `${types} AND ${compile(correlated(where), compilation, true)}` : types;
}
