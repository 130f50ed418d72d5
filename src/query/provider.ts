import { Invalid } from '../errors.ts';
import type { Model, PageProvider } from '../model/model.ts';
import type { AggregateDefinition, SortDefinition } from '../model/page-provider-definitions.ts';
import type { Condition, Query, Sort } from './ast.ts';
import { allOf } from './conditions.ts';
import { kindsIn } from './kinds.ts';
import type { Bindings } from './literals.ts';
import { parseQuery } from './parse.ts';
import { selecting } from './provider-aggregates.ts';
import { givenAs, readList, readOne } from './provider-parameters.ts';
import { conditionOf, type KindOf } from './provider-predicates.ts';
import { tokensOf } from './tokens.ts';

/** What a request asks of a page provider. */
export interface Wish extends Bindings {
  /** The names of those that are switched on. */
  readonly quickFilters: readonly string[];
  /** When the request is made, as dates are stored. */
  readonly now: string;
}

/** An aggregate, and which of its buckets the request wants alone. */
export interface SelectedAggregate {
  readonly definition: AggregateDefinition;
  readonly selected: readonly string[];
  /** What documents are that are in one of them; nothing where none is selected. */
  readonly condition: Condition | undefined;
}

/** What a page provider means by a request. */
export interface Provided {
  /** What it finds, in its order, whatever buckets are selected. */
  readonly query: Query;
  readonly aggregates: readonly SelectedAggregate[];
}

/** Stands for a whole query that the first parameter brings. */
export const whole = '?';

/** Stands for the members of the collection that the first parameter names. */
export const members = 'MEMBERS';

/** How many values a query leaves open. */
const placesIn = (query: string): number =>
  tokensOf(query).filter(({ kind, source }) => kind === 'parameter' && source === '?').length;

/** How many positional parameters a page provider takes. */
function placesOf({ query, predicates = [] }: PageProvider): number {
  const ofPredicates = predicates.map(({ parameter }) => (typeof parameter === 'number' ? parameter : 0));
  return Math.max(query === members ? 1 : placesIn(query), ...ofPredicates);
}

/**
 * The positional parameters of a page provider, that of an address first. Commas separate several; where one alone is
 * missing, they belong to it.
 */
export function positionalOf(
  provider: PageProvider,
  given: readonly string[],
  document?: string,
): readonly string[] {
  const addressed = document === undefined ? [] : [document];
  const isOne = placesOf(provider) - addressed.length === 1 && given.length > 1;
  return [...addressed, ...(isOne ? [given.join(',')] : given)];
}

/** @throws Invalid when what the query leaves open is not given. */
function baseOf(provider: PageProvider, wish: Wish): Query {
  const { name, query } = provider;
  if (query === whole) {
    const text = wish.positional[0] ?? givenAs(wish.named, 'query');
    if (text === undefined) throw new Invalid(`queryParams: ${name} takes a query`);
    return parseQuery(readOne('queryParams', text, wish.variables), {
      ...wish,
      positional: wish.positional.slice(1),
    });
  }
  const places = placesIn(query);
  if (wish.positional.length < places)
    throw new Invalid(`queryParams: ${name} takes ${places}, got ${wish.positional.length}`);
  return parseQuery(query, wish);
}

/** An order, as queries have it. */
export const sortsOf = (sort: readonly SortDefinition[] = []): Sort[] =>
  sort.map(({ property, order }) => ({ property, isAscending: order === 'asc' }));

/** A query of a condition. */
export const asQuery = (condition: string): string => `SELECT * FROM Document WHERE ${condition}`;

/** @throws Invalid when one is named that there is not. */
function switchedOn({ name, quickFilters = [] }: PageProvider, names: readonly string[]) {
  for (const each of names) {
    if (quickFilters.some((filter) => filter.name === each)) continue;
    const known = quickFilters.map((filter) => filter.name).join(', ') || 'none';
    throw new Invalid(
      `quickFilters: "${each.slice(0, 80)}" is no quick filter of ${name}, which has ${known}`,
    );
  }
  return quickFilters.filter((filter) => names.includes(filter.name));
}

const selectedOf = (definition: AggregateDefinition, wish: Wish, kindOf: KindOf): SelectedAggregate => {
  const { id, property } = definition;
  const selected = readList(id, givenAs(wish.named, id), wish.variables);
  const condition = selecting(definition, selected, { kind: kindOf(property), now: wish.now });
  return { definition, selected, condition };
};

/**
 * What a page provider means by a request: its own query, with what the parameters that are given and the quick filters
 * that are switched on ask of documents. Values are literals, and never text of the query.
 * @throws Invalid naming the parameter that is missing or not understood.
 */
export function provide(provider: PageProvider, wish: Wish, model: Model): Provided {
  const kindOf = kindsIn(model);
  const base = baseOf(provider, wish);
  const { predicates = [], aggregates = [] } = provider;
  const filters = switchedOn(provider, wish.quickFilters);
  const where = allOf([
    base.where,
    ...predicates.map((predicate) => conditionOf(predicate, wish, kindOf)),
    ...filters.map(({ condition }) =>
      condition === undefined ? undefined : parseQuery(asQuery(condition), wish).where,
    ),
  ]);
  const orderBy = [
    ...filters.flatMap(({ sort }) => sortsOf(sort)),
    ...base.orderBy,
    ...sortsOf(provider.sort),
  ];
  return {
    query: { ...base, ...(where && { where }), orderBy },
    aggregates: aggregates.map((definition) => selectedOf(definition, wish, kindOf)),
  };
}

/** What is found when the buckets that are selected count, too. */
export function withSelections({ query, aggregates }: Provided): Query {
  const where = allOf([query.where, ...aggregates.map(({ condition }) => condition)]);
  return { ...query, ...(where && { where }) };
}
