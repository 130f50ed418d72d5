import type { PageProvider } from '../model.ts';
import { type ReportFault, reportBelow } from '../model-error.ts';
import type { PageProviderDefinition } from '../search/page-provider-definitions.ts';

interface Context {
  readonly report: (definition: PageProviderDefinition) => ReportFault;
  readonly origins: ReadonlyMap<object, string>;
}

/** Resolves page providers, and reports all errors except those in queries, which `validate-providers.ts` checks. */
export function resolvePageProviders(
  definitions: ReadonlyMap<string, PageProviderDefinition>,
  { report, origins }: Context,
): ReadonlyMap<string, PageProvider> {
  for (const definition of definitions.values()) check(definition, report(definition));
  return new Map(
    [...definitions].map(([name, definition]) => [name, { ...definition, file: origins.get(definition) }]),
  );
}

function check(provider: PageProviderDefinition, report: ReportFault): void {
  const { predicates = [], aggregates = [], quickFilters = [] } = provider;
  const parameters: Named[] = [];
  for (const [index, { parameter, operator }] of predicates.entries()) {
    const at = `.predicates[${index}].parameter`;
    const isRange = operator === 'BETWEEN';
    if (isRange !== Array.isArray(parameter))
      report(at, isRange ? 'BETWEEN requires two parameters' : `${operator} requires one parameter`);
    parameters.push(...[parameter].flat().map((name): Named => [name, at]));
  }
  for (const [index, aggregate] of aggregates.entries()) {
    const at = `.aggregates[${index}]`;
    parameters.push([aggregate.id, `${at}.id`]);
    if ('ranges' in aggregate)
      reportDuplicates(
        aggregate.ranges.map(({ key }, range) => [key, `.ranges[${range}].key`]),
        reportBelow(report, at),
      );
  }
  reportDuplicates(parameters, report);
  reportDuplicates(
    quickFilters.map(({ name }, index) => [name, `.quickFilters[${index}].name`]),
    report,
  );
}

type Named = [name: string | number, at: string];

function reportDuplicates(names: readonly Named[], report: ReportFault): void {
  const taken = new Set<string | number>();
  for (const [name, at] of names) {
    if (taken.has(name)) report(at, `the name ${name} is used twice`);
    taken.add(name);
  }
}
