import { AppError, Invalid } from '../../errors.ts';
import type { Model, PageProvider } from '../../model/model.ts';
import { type Fault, requireNoFaults } from '../../model/model-error.ts';
import type { PredicateDefinition } from '../../model/search/page-provider-definitions.ts';
import { isSavedSearchType } from '../../model/search/saved-search.ts';
import { aggregateSql } from '../aggregate-sql.ts';
import type { Condition, Literal } from '../ast.ts';
import { conditionSql } from '../compile.ts';
import { type Compilation, newCompilation } from '../operand.ts';
import { SqlParameters } from '../parameters.ts';
import { parseCondition, parseQuery } from '../parse.ts';
import { placeholderBindings, unboundValue } from '../placeholders.ts';
import { projectionSql } from '../projection-sql.ts';
import { propertyKinds } from '../property-kinds.ts';
import { sortSql } from '../sort-sql.ts';
import { withPositionInErrors, withPositionOf } from '../tokens.ts';
import type { ValueKind } from '../value-kind.ts';
import { membersMarker, sortsOf, wholeQueryMarker } from './provider.ts';
import { type KindLookUp, predicateCondition } from './provider-predicates.ts';

/** Returns a value with which any property of the given kind can be compared. */
const sampleOf = (kind: ValueKind): string => (kind === 'date' ? '2000-01-01' : '0');

/** Replaces placeholders for values that are not known yet with sample values. */
const sampled = (condition: Condition, kindOf: KindLookUp): Condition =>
  withPositionOf(
    condition,
    withPositionInErrors(condition, () => withSamples(condition, kindOf)),
  );

function withSamples(condition: Condition, kindOf: KindLookUp): Condition {
  if (condition.kind === 'not' || condition.kind === 'some')
    return { ...condition, of: sampled(condition.of, kindOf) };
  if ('of' in condition) return { ...condition, of: condition.of.map((part) => sampled(part, kindOf)) };
  const read = <Value extends Literal>(value: Value): Value | string =>
    value === unboundValue ? sampleOf(kindOf(condition.property)) : value;
  switch (condition.kind) {
    case 'compare':
      return { ...condition, value: read(condition.value) };
    case 'in':
      return { ...condition, values: condition.values.map(read) };
    case 'between':
      return { ...condition, from: read(condition.from), to: read(condition.to) };
    case 'like':
      return { ...condition, pattern: read(condition.pattern) };
    case 'startsWith':
      return { ...condition, prefix: read(condition.prefix) };
    case 'isNull':
      return condition;
  }
}

function predicateSample({ parameter, ...predicate }: PredicateDefinition, kindOf: KindLookUp) {
  const named = typeof parameter === 'number' ? String(parameter) : parameter;
  const text = sampleOf(kindOf(predicate.property));
  const values = Object.fromEntries([named].flat().map((name) => [name, text]));
  const bindings = { positional: [], named: values, variables: {} };
  return predicateCondition({ ...predicate, parameter: named }, bindings, kindOf);
}

function requireSavedSearchType(model: Model, type: string): void {
  if (!model.types.has(type) || !isSavedSearchType(model, type))
    throw new Invalid(`${type} is not a subtype of SavedSearch`);
}

type Check = readonly [at: string, check: () => unknown];

/**
 * Returns the checks of a page provider in the order in which they must run: compiling a condition adds its full-text
 * expressions to the shared `wordQueries`, on which sorting by score depends.
 */
function checksOf(provider: PageProvider, model: Model): Check[] {
  const { query, modelType, predicates = [], aggregates = [], quickFilters = [], sort = [] } = provider;
  const kindOf = propertyKinds(model);
  const now = new Date().toISOString();
  const parameters = new SqlParameters([]);
  const wordQueries: Compilation['wordQueries'] = new Map();
  const compilation = (): Compilation => ({
    ...newCompilation({ model, parameters, now, mayRead: () => 'false', mayReadAcl: () => 'false' }),
    wordQueries,
  });
  const checkCondition = (where: Condition | undefined, from: readonly string[] = ['Document']) =>
    conditionSql({ from, ...(where && { where: sampled(where, kindOf) }) }, compilation());
  const checkQuery = () => {
    if (query === wholeQueryMarker || query === membersMarker) return;
    const { from, where, ...shown } = parseQuery(query, placeholderBindings(query));
    checkCondition(where, from);
    projectionSql({ ...shown, from }, compilation());
  };
  const allDocuments = { select: '*', from: ['Document'], orderBy: [] } as const;
  return [
    ...predicates.map(
      (predicate, index): Check => [
        `.predicates[${index}].property`,
        () => checkCondition(predicateSample(predicate, kindOf)),
      ],
    ),
    ...quickFilters.map(
      ({ condition = '' }, index): Check => [
        `.quickFilters[${index}].condition`,
        () => condition && checkCondition(parseCondition(condition, placeholderBindings(condition))),
      ],
    ),
    ['.query', checkQuery],
    ['.modelType', () => modelType !== undefined && requireSavedSearchType(model, modelType)],
    ...aggregates.map(
      (definition, index): Check => [
        `.aggregates[${index}]`,
        () => aggregateSql(allDocuments, [{ definition, selected: [], condition: undefined }], compilation()),
      ],
    ),
    ...quickFilters.map(
      ({ sort: order }, index): Check => [
        `.quickFilters[${index}].sort`,
        () => sortSql(sortsOf(order), compilation()),
      ],
    ),
    ['.sort', () => sortSql(sortsOf(sort), compilation())],
  ];
}

/**
 * Checks the queries, properties and types of the page providers that contributions define.
 * @throws ModelError, which lists all errors
 */
export function requireValidProviders(model: Model): void {
  const faults: Fault[] = [];
  for (const provider of model.pageProviders.values()) {
    const { file, name } = provider;
    if (file === undefined) continue;
    for (const [at, check] of checksOf(provider, model)) {
      try {
        check();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        faults.push({ file, location: `pageProviders.${name}${at}`, fault: error.message });
      }
    }
  }
  requireNoFaults(faults);
}
