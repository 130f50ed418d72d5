import { Invalid } from '../../errors.ts';
import type { Model, PageProvider } from '../../model/model.ts';
import type { AggregateDefinition, SortDefinition } from '../../model/search/page-provider-definitions.ts';
import type { Condition, Query, Sort } from '../ast.ts';
import { allConditions } from '../conditions.ts';
import type { Bindings } from '../literals.ts';
import { parseCondition, parseQuery } from '../parse.ts';
import { countPlaceholders, joinedAtCommas } from '../placeholders.ts';
import { propertyKinds } from '../property-kinds.ts';
import { bucketCondition } from './provider-aggregates.ts';
import { parameterValue, readParameterText, readParameterTexts } from './provider-parameters.ts';
import { type KindLookUp, predicateCondition } from './provider-predicates.ts';

interface ProviderBindings extends Bindings {
  readonly quickFilters: readonly string[];
}

/** An aggregate, with the buckets of it that a request selects. */
export interface SelectedAggregate {
  readonly definition: AggregateDefinition;
  readonly selected: readonly string[];
  /** The condition that a document is in one of the selected buckets; undefined if none is selected. */
  readonly condition: Condition | undefined;
}

interface ProviderQuery {
  /** The query without the conditions of selected buckets. */
  readonly query: Query;
  readonly aggregates: readonly SelectedAggregate[];
}

/** The `query` of a page provider whose query is the first parameter of the request. */
export const wholeQueryMarker = '?';

/** The `query` of a page provider that lists the members of the collection whose id is the first parameter. */
export const membersMarker = 'MEMBERS';

function countPositionalParameters({ query, predicates = [] }: PageProvider): number {
  const ofPredicates = predicates.map(({ parameter }) => (typeof parameter === 'number' ? parameter : 0));
  return Math.max(query === membersMarker ? 1 : countPlaceholders(query), ...ofPredicates);
}

/** The positional parameters of a page provider: the id of the addressed document, if any, and those of the request. */
export function positionalParameters(
  provider: PageProvider,
  values: readonly string[],
  document?: string,
): readonly string[] {
  const addressed = document === undefined ? [] : [document];
  return [...addressed, ...joinedAtCommas(values, countPositionalParameters(provider) - addressed.length)];
}

function baseQuery({ name, query }: PageProvider, bindings: ProviderBindings): Query {
  const { positional, named, variables } = bindings;
  if (query === wholeQueryMarker) {
    const text = positional[0] ?? parameterValue(named, 'query');
    if (text === undefined) throw new Invalid(`queryParams: ${name} requires a query`);
    const values = { ...bindings, positional: positional.slice(1) };
    return parseQuery(readParameterText('queryParams', text, variables), values);
  }
  const expected = countPlaceholders(query);
  if (positional.length < expected)
    throw new Invalid(`queryParams: ${name} requires ${expected}, got ${positional.length}`);
  return parseQuery(query, bindings);
}

export const sortsOf = (sort: readonly SortDefinition[] = []): Sort[] =>
  sort.map(({ property, order }) => ({ property, isAscending: order === 'asc' }));

function activeQuickFilters({ name, quickFilters = [] }: PageProvider, names: readonly string[]) {
  const known = quickFilters.map((filter) => filter.name);
  const unknown = names.find((each) => !known.includes(each));
  if (unknown !== undefined) {
    throw new Invalid(
      `quickFilters: "${unknown.slice(0, 80)}" is not a quick filter of ${name}; it has ${known.join(', ') || 'none'}`,
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
 * Builds the query of a page provider for a request: the fixed query, the predicates whose parameters the request has, and
 * the active quick filters. @throws Invalid that names a missing or invalid parameter.
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

/** Adds the conditions of the selected buckets to a query. */
export function withSelectedBuckets({ query, aggregates }: ProviderQuery): Query {
  const where = allConditions([query.where, ...aggregates.map(({ condition }) => condition)]);
  return { ...query, ...(where && { where }) };
}
