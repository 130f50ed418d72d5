import { AppError, Invalid } from '../../errors.ts';
import type { Model, PageProvider } from '../../model/model.ts';
import { type Fault, requireNoFaults } from '../../model/model-error.ts';
import { isSavedSearchType } from '../../model/search/saved-search.ts';
import { aggregateSql } from '../aggregate-sql.ts';
import type { Condition, Literal } from '../ast.ts';
import { conditionSql } from '../compile.ts';
import { type Compilation, newCompilation } from '../operand.ts';
import { SqlParameters } from '../parameters.ts';
import { parseCondition, parseQuery } from '../parse.ts';
import { placeholderBindings } from '../placeholders.ts';
import { projectionSql } from '../projection-sql.ts';
import { propertyKinds } from '../property-kinds.ts';
import { sortSql } from '../sort-sql.ts';
import { atPlaceOf, placedAs } from '../tokens.ts';
import type { ValueKind } from '../value-kind.ts';
import { membersMarker, sortsOf, wholeQueryMarker } from './provider.ts';
import type { KindLookUp } from './provider-predicates.ts';

const samples: Readonly<Record<ValueKind, Literal>> = {
  string: '',
  id: '',
  object: '',
  number: 0,
  boolean: false,
  date: { kind: 'now' },
};

/** With values of the kinds of its properties in place of those that are given later. */
const sampled = (condition: Condition, kindOf: KindLookUp): Condition =>
  placedAs(
    condition,
    atPlaceOf(condition, () => withSamples(condition, kindOf)),
  );

function withSamples(condition: Condition, kindOf: KindLookUp): Condition {
  if (condition.kind === 'isNull') return condition;
  if (!('of' in condition)) {
    const { property } = condition;
    return { kind: 'compare', property, op: '=', value: samples[kindOf(property)] };
  }
  if (condition.kind === 'not' || condition.kind === 'some')
    return { ...condition, of: sampled(condition.of, kindOf) };
  return { ...condition, of: condition.of.map((part) => sampled(part, kindOf)) };
}

function requireSavedSearchType(model: Model, type: string): void {
  if (!model.types.has(type) || !isSavedSearchType(model, type))
    throw new Invalid(`${type} is no type that inherits from SavedSearch`);
}

/** In this order: sorting by the score of words needs a condition on them. */
type Check = readonly [at: string, check: () => unknown];

function checksOf(provider: PageProvider, model: Model): Check[] {
  const { query, modelType, predicates = [], aggregates = [], quickFilters = [], sort = [] } = provider;
  const kindOf = propertyKinds(model);
  const now = new Date().toISOString();
  const parameters = new SqlParameters([]);
  const sought = new Set<string>();
  const compilation = (): Compilation => ({
    ...newCompilation({ model, parameters, now, mayRead: () => 'false', mayReadAcl: () => 'false' }),
    sought,
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
      ({ property }, index): Check => [
        `.predicates[${index}].property`,
        () => checkCondition({ kind: 'in', property, values: [] }),
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

/** Checks the queries, properties and types of contributed page providers. @throws ModelError */
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
