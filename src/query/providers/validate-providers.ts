import { AppError, Invalid } from '../../errors.ts';
import type { Model, PageProvider } from '../../model/model.ts';
import { type Fault, requireNoFaults } from '../../model/model-error.ts';
import { isSavedSearchType } from '../../model/search/saved-search.ts';
import { aggregateSql } from '../aggregate-sql.ts';
import type { Condition } from '../ast.ts';
import { conditionSql } from '../compile.ts';
import { newCompilation } from '../operand.ts';
import { SqlParameters } from '../parameters.ts';
import { parseCondition, parseQuery } from '../parse.ts';
import { placeholderBindings } from '../placeholders.ts';
import { propertyKinds } from '../property-kinds.ts';
import { sortSql } from '../sort-sql.ts';
import { membersMarker, sortsOf, wholeQueryMarker } from './provider.ts';

const propertiesOf = (condition: Condition | undefined): string[] => {
  if (!condition) return [];
  if ('property' in condition) return [condition.property];
  return [condition.of].flat().flatMap(propertiesOf);
};

function requireSavedSearchType(model: Model, type: string): void {
  if (!model.types.has(type) || !isSavedSearchType(model, type))
    throw new Invalid(`${type} is no type that inherits from SavedSearch`);
}

type Check = readonly [at: string, check: () => unknown];

function checksOf(provider: PageProvider, model: Model): Check[] {
  const { query, modelType, predicates = [], aggregates = [], quickFilters = [], sort = [] } = provider;
  const kindOf = propertyKinds(model);
  const now = new Date().toISOString();
  const parameters = new SqlParameters([]);
  const compilation = () =>
    newCompilation({ model, parameters, now, mayRead: () => 'false', mayReadAcl: () => 'false' });
  const checkCondition = (condition: Condition | undefined) => {
    for (const property of propertiesOf(condition)) kindOf(property);
  };
  const checkQuery = () => {
    if (query === wholeQueryMarker || query === membersMarker) return;
    const { from, where, orderBy } = parseQuery(query, placeholderBindings(query));
    conditionSql({ from }, compilation());
    checkCondition(where);
    sortSql(orderBy, compilation());
  };
  const allDocuments = { select: '*', from: ['Document'], orderBy: [] } as const;
  return [
    ['.query', checkQuery],
    ['.modelType', () => modelType !== undefined && requireSavedSearchType(model, modelType)],
    ...predicates.map(
      ({ property }, index): Check => [`.predicates[${index}].property`, () => kindOf(property)],
    ),
    ...aggregates.map(
      (definition, index): Check => [
        `.aggregates[${index}]`,
        () => aggregateSql(allDocuments, [{ definition, selected: [], condition: undefined }], compilation()),
      ],
    ),
    ...quickFilters.flatMap(({ condition = '', sort: order }, index): Check[] => [
      [
        `.quickFilters[${index}].condition`,
        () => condition && checkCondition(parseCondition(condition, placeholderBindings(condition))),
      ],
      [`.quickFilters[${index}].sort`, () => sortSql(sortsOf(order), compilation())],
    ]),
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
