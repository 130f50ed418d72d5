import { Invalid } from '../../errors.ts';
import type { Model, PageProvider } from '../../model/model.ts';
import type { AggregateDefinition, SortDefinition } from '../../model/search/page-provider-definitions.ts';
import type { Condition, Query, Sort } from '../ast.ts';
import { allConditions } from '../conditions.ts';
import { isFullText } from '../full-text.ts';
import type { Bindings } from '../literals.ts';
import { mostRelevantFirst } from '../order-sql.ts';
import { parseCondition, parseQuery } from '../parse.ts';
import { countPlaceholders, joinedAtCommas } from '../placeholders.ts';
import { propertyKinds } from '../property-kinds.ts';
import { bucketCondition } from './provider-aggregates.ts';
import { parameterValue, readParameterText, readParameterTexts } from './provider-parameters.ts';
import { type KindLookUp, predicateCondition } from './provider-predicates.ts';

interface ProviderBindings extends Bindings {
  readonly quickFilters: readonly string[];
}

/** An aggregate, and the buckets that a request selects. */
export interface SelectedAggregate {
  readonly definition: AggregateDefinition;
  readonly selected: readonly string[];
  /** The condition that a document is in one of the selected buckets; undefined if no bucket is selected. */
  readonly condition: Condition | undefined;
}

interface ProviderQuery {
  /** The query without the conditions of the selected buckets. */
  readonly query: Query;
  readonly aggregates: readonly SelectedAggregate[];
}

/** The `query` of a page provider whose first parameter is an entire query sent by the client. */
export const wholeQueryMarker = '?';

/**
 * The `query` of a page provider that lists the members of a collection. Its first parameter is the id of the
 * collection.
 */
export const membersMarker = 'MEMBERS';

function countPositionalParameters({ query, predicates = [] }: PageProvider): number {
  const ofPredicates = predicates.map(({ parameter }) => (typeof parameter === 'number' ? parameter : 0));
  return Math.max(query === membersMarker ? 1 : countPlaceholders(query), ...ofPredicates);
}

/**
 * Returns the positional parameters of a page provider: the id of the document in the URL, if there is one, followed by
 * the parameters in the request.
 */
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

/** Returns whether a condition requires that all matching documents contain certain words. */
const requiresWords = (condition: Condition | undefined): boolean => {
  if (condition?.kind === 'and') return condition.of.some(requiresWords);
  if (condition?.kind !== 'compare' && condition?.kind !== 'in') return false;
  const isEqual = condition.kind === 'in' || condition.op === '=';
  return isEqual && isFullText(condition.property);
};

/**
 * Builds the query of a page provider for a request: the fixed query, the predicates whose parameters the request
 * contains, and the active quick filters. If neither the page provider nor a quick filter defines an order, and
 * documents must contain certain words, the most relevant documents come first.
 * @throws Invalid, which names a parameter that is missing or invalid
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
  const sorts = [...filters.flatMap(({ sort }) => sortsOf(sort)), ...base.orderBy, ...sortsOf(provider.sort)];
  const isByWords = sorts.length === 0 && provider.query !== wholeQueryMarker && requiresWords(where);
  const orderBy = isByWords ? [mostRelevantFirst] : sorts;
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
