import { Invalid } from '../../errors.ts';
import type { Model, PageProvider } from '../../model/model.ts';
import type { AggregateDefinition, SortDefinition } from '../../model/search/page-provider-definitions.ts';
import type { Condition, Query, Sort } from '../ast.ts';
import { allConditions } from '../conditions.ts';
import type { Bindings } from '../literals.ts';
import { parseCondition, parseQuery } from '../parse.ts';
import { countPlaceholders, withCommas } from '../placeholders.ts';
import { propertyKinds } from '../property-kinds.ts';
import { bucketCondition } from './provider-aggregates.ts';
import { parameterValue, readParameterText, readParameterTexts } from './provider-parameters.ts';
import { type KindLookUp, predicateCondition } from './provider-predicates.ts';

interface ProviderBindings extends Bindings {
  readonly quickFilters: readonly string[];
}

export interface SelectedAggregate {
  readonly definition: AggregateDefinition;
  readonly selected: readonly string[];
  /** The condition that a document is in one of them; undefined when none is selected. */
  readonly condition: Condition | undefined;
}

interface ProviderQuery {
  /** Without the conditions of selected buckets. */
  readonly query: Query;
  readonly aggregates: readonly SelectedAggregate[];
}

/** The `query` of a page provider that takes its query as the first parameter. */
export const wholeQueryMarker = '?';

/** The `query` of a page provider that lists the members of a collection, whose id is the first parameter. */
export const membersMarker = 'MEMBERS';

function countPositionalParameters({ query, predicates = [] }: PageProvider): number {
  const ofPredicates = predicates.map(({ parameter }) => (typeof parameter === 'number' ? parameter : 0));
  return Math.max(query === membersMarker ? 1 : countPlaceholders(query), ...ofPredicates);
}

/** The positional parameters of a page provider: the addressed document, if any, and the given ones. */
export function positionalParameters(
  provider: PageProvider,
  given: readonly string[],
  document?: string,
): readonly string[] {
  const addressed = document === undefined ? [] : [document];
  return [...addressed, ...withCommas(given, countPositionalParameters(provider) - addressed.length)];
}

function baseQuery({ name, query }: PageProvider, bindings: ProviderBindings): Query {
  const { positional, named, variables } = bindings;
  if (query === wholeQueryMarker) {
    const text = positional[0] ?? parameterValue(named, 'query');
    if (text === undefined) throw new Invalid(`queryParams: ${name} takes a query`);
    const values = { ...bindings, positional: positional.slice(1) };
    return parseQuery(readParameterText('queryParams', text, variables), values);
  }
  const expected = countPlaceholders(query);
  if (positional.length < expected)
    throw new Invalid(`queryParams: ${name} takes ${expected}, got ${positional.length}`);
  return parseQuery(query, bindings);
}

export const sortsOf = (sort: readonly SortDefinition[] = []): Sort[] =>
  sort.map(({ property, order }) => ({ property, isAscending: order === 'asc' }));

function activeQuickFilters({ name, quickFilters = [] }: PageProvider, names: readonly string[]) {
  const known = quickFilters.map((filter) => filter.name);
  const unknown = names.find((each) => !known.includes(each));
  if (unknown !== undefined) {
    throw new Invalid(
      `quickFilters: "${unknown.slice(0, 80)}" is no quick filter of ${name}, which has ${known.join(', ') || 'none'}`,
    );
  }
  return quickFilters.filter((filter) => names.includes(filter.name));
}

const selectBuckets = (
  definition: AggregateDefinition,
  { named, variables }: ProviderBindings,
  kindOf: KindLookUp,
): SelectedAggregate => {
  const { id, property } = definition;
  const selected = readParameterTexts(id, parameterValue(named, id), variables);
  const condition = bucketCondition(definition, selected, kindOf(property));
  return { definition, selected, condition };
};

/**
 * The query of a page provider for one request: its definition, restricted by the predicates whose parameters
 * are given and by the active quick filters. @throws Invalid naming the missing or invalid parameter.
 */
export function buildProviderQuery(
  provider: PageProvider,
  bindings: ProviderBindings,
  model: Model,
): ProviderQuery {
  const kindOf = propertyKinds(model);
  const base = baseQuery(provider, bindings);
  const { predicates = [], aggregates = [] } = provider;
  const filters = activeQuickFilters(provider, bindings.quickFilters);
  const where = allConditions([
    base.where,
    ...predicates.map((predicate) => predicateCondition(predicate, bindings, kindOf)),
    ...filters.map(({ condition }) =>
      condition === undefined ? undefined : parseCondition(condition, bindings),
    ),
  ]);
  const orderBy = [
    ...filters.flatMap(({ sort }) => sortsOf(sort)),
    ...base.orderBy,
    ...sortsOf(provider.sort),
  ];
  return {
    query: { ...base, ...(where && { where }), orderBy },
    aggregates: aggregates.map((definition) => selectBuckets(definition, bindings, kindOf)),
  };
}

export function withSelectedBuckets({ query, aggregates }: ProviderQuery): Query {
  const where = allConditions([query.where, ...aggregates.map(({ condition }) => condition)]);
  return { ...query, ...(where && { where }) };
}
