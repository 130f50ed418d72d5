import { AppError } from '../errors.ts';
import type { Model, PageProvider } from '../model/model.ts';
import { type Fault, ModelError } from '../model/model-error.ts';
import { aggregateSql } from './aggregate-sql.ts';
import type { Condition } from './ast.ts';
import { conditionSql, Parameters, sortSql } from './compile.ts';
import { kindsIn } from './kinds.ts';
import type { Bindings } from './literals.ts';
import { parseQuery } from './parse.ts';
import { asQuery, members, sortsOf, whole } from './provider.ts';
import { tokensOf } from './tokens.ts';

/** Values for all that a query leaves open. */
function somethingFor(query: string): Bindings {
  const open = tokensOf(query).filter(({ kind }) => kind === 'parameter');
  return {
    positional: open.map(() => ''),
    named: Object.fromEntries(open.map(({ value }) => [value, ''])),
    variables: { currentUser: '', currentRepository: '' },
  };
}

const propertiesOf = (condition: Condition | undefined): string[] => {
  if (!condition) return [];
  if ('property' in condition) return [condition.property];
  return [condition.of].flat().flatMap(propertiesOf);
};

/** What is wrong in a part of a page provider, if anything. */
type Check = readonly [at: string, check: () => unknown];

/** Every part of a page provider that is about properties, types and moments. */
function checksOf(provider: PageProvider, model: Model): Check[] {
  const { query, predicates = [], aggregates = [], quickFilters = [], sort = [] } = provider;
  const kindOf = kindsIn(model);
  const now = new Date().toISOString();
  const compilation = { model, parameters: new Parameters([]), now, mayRead: () => 'false' };
  const readable = (text: string) => {
    const { from, where, orderBy } = parseQuery(text, somethingFor(text));
    conditionSql({ from }, compilation);
    for (const property of propertiesOf(where)) kindOf(property);
    sortSql(orderBy, compilation);
  };
  const everything = { select: '*', from: ['Document'], orderBy: [] } as const;
  return [
    ['.query', () => query === whole || query === members || readable(query)],
    ...predicates.map(
      ({ property }, index): Check => [`.predicates[${index}].property`, () => kindOf(property)],
    ),
    ...aggregates.map(
      (definition, index): Check => [
        `.aggregates[${index}]`,
        () =>
          aggregateSql(everything, [{ definition, selected: [], condition: undefined }], 'true', compilation),
      ],
    ),
    ...quickFilters.flatMap(({ condition, sort: order }, index): Check[] => [
      [`.quickFilters[${index}].condition`, () => condition === undefined || readable(asQuery(condition))],
      [`.quickFilters[${index}].sort`, () => sortSql(sortsOf(order), compilation)],
    ]),
    ['.sort', () => sortSql(sortsOf(sort), compilation)],
  ];
}

/**
 * Looks at what contributed page providers ask of documents, before anybody calls them.
 * @throws ModelError naming the file and the place of everything that no request could make right.
 */
export function requireSoundProviders(model: Model): void {
  const faults: Fault[] = [];
  for (const provider of model.pageProviders.values()) {
    const { file, name } = provider;
    if (file === undefined) continue;
    for (const [at, check] of checksOf(provider, model)) {
      try {
        check();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        faults.push({ file, place: `pageProviders.${name}${at}`, fault: error.message });
      }
    }
  }
  const [first, ...others] = faults;
  if (first) throw new ModelError(first, ...others);
}
