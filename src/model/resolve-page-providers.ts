import type { Report } from './field-faults.ts';
import type { PageProvider } from './model.ts';
import type {
  AggregateDefinition,
  PageProviderDefinition,
  PredicateDefinition,
} from './page-provider-definitions.ts';

/** What page providers are resolved against. */
interface Context {
  readonly report: (definition: PageProviderDefinition) => Report;
  readonly origins: ReadonlyMap<object, string>;
}

/** All page providers; what is wrong with them apart from their queries is reported. */
export function resolvePageProviders(
  definitions: ReadonlyMap<string, PageProviderDefinition>,
  { report, origins }: Context,
): ReadonlyMap<string, PageProvider> {
  for (const definition of definitions.values()) check(definition, report(definition));
  return new Map(
    [...definitions].map(([name, definition]) => [name, { ...definition, file: origins.get(definition) }]),
  );
}

function check(provider: PageProviderDefinition, report: Report): void {
  const { predicates = [], aggregates = [], quickFilters = [] } = provider;
  for (const [index, predicate] of predicates.entries())
    checkPredicate(predicate, (at, fault) => report(`.predicates[${index}]${at}`, fault));
  for (const [index, aggregate] of aggregates.entries())
    checkRanges(aggregate, (at, fault) => report(`.aggregates[${index}]${at}`, fault));
  const parameters = [
    ...predicates.flatMap(({ parameter }, index) =>
      [parameter].flat().map((name): Named => [name, `.predicates[${index}].parameter`]),
    ),
    ...aggregates.map(({ id }, index): Named => [id, `.aggregates[${index}].id`]),
  ];
  checkTaken(parameters, report);
  checkTaken(
    quickFilters.map(({ name }, index) => [name, `.quickFilters[${index}].name`]),
    report,
  );
}

type Named = [name: string | number, at: string];

function checkTaken(names: readonly Named[], report: Report): void {
  const taken = new Set<string | number>();
  for (const [name, at] of names) {
    if (taken.has(name)) report(at, `the name ${name} is taken already`);
    taken.add(name);
  }
}

function checkPredicate({ parameter, operator }: PredicateDefinition, report: Report): void {
  if ((operator === 'BETWEEN') !== Array.isArray(parameter))
    report('.parameter', operator === 'BETWEEN' ? 'BETWEEN takes two names' : `${operator} takes one name`);
}

function checkRanges(aggregate: AggregateDefinition, report: Report): void {
  if (!('ranges' in aggregate)) return;
  checkTaken(
    aggregate.ranges.map(({ key }, index) => [key, `.ranges[${index}].key`]),
    report,
  );
}
