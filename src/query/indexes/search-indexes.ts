import { createHash } from 'node:crypto';
import { AppError, Invalid } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { type Fault, requireNoFaults } from '../../model/model-error.ts';
import { newCompilation, propertyOperand } from '../operand.ts';
import { SqlParameters } from '../parameters.ts';
import { type IndexedKind, indexedValueSql, isIndexableKind, textsWithPatterns } from './indexed-values.ts';

/** The definition of an index on the table `search_document`. */
export interface SearchIndexDefinition {
  /** A name that contains a hash of the definition, so an existing index of that name has this definition. */
  readonly name: string;
  /** The kind of index: GIN on trigrams, for patterns; or B-tree on an order, for comparisons and sorting. */
  readonly of: 'trigrams' | 'order';
  /** SQL of the columns. */
  readonly columns: readonly string[];
}

/** The prefix of the names of the indexes that the server itself creates and drops. */
export const searchIndexPrefix = 'search_value_';

function indexOf(of: SearchIndexDefinition['of'], columns: readonly string[]): SearchIndexDefinition {
  const digest = createHash('sha256')
    .update(JSON.stringify([of, columns]))
    .digest('hex');
  return { name: `${searchIndexPrefix}${digest.slice(0, 20)}`, of, columns };
}

const indexedColumn = (term: string, kind: IndexedKind): string =>
  indexedValueSql('terms', `'${term.replaceAll("'", "''")}'`, kind);

const stockIndex = indexOf('trigrams', [
  'name',
  ...textsWithPatterns.map((term) => indexedColumn(term, 'string')),
]);

/** The terms on which a declared index is built. @throws Invalid if the property cannot be indexed or always is. */
function indexableTerm(
  model: Model,
  property: string,
): { readonly term: string; readonly kind: IndexedKind } {
  const parameters = new SqlParameters([]);
  const none = () => 'false';
  const operand = propertyOperand(
    property,
    newCompilation({ model, parameters, now: '', mayRead: none, mayReadAcl: none }),
  );
  const { term, kind, from, isColumn, hasPatterns } = operand;
  if (isColumn) throw new Invalid(`${property} is indexed in every model`);
  if (term !== undefined && from !== undefined && hasPatterns) return { term, kind: 'strings' };
  if (term === undefined || from !== undefined || !isIndexableKind(kind))
    throw new Invalid(`${property} is not a text, a list of texts, a number or a date`);
  return { term, kind };
}

// Unset values come last in both directions, so each direction needs its own index. A list has no order.
function indexesOf({ term, kind }: ReturnType<typeof indexableTerm>): SearchIndexDefinition[] {
  const value = indexedColumn(term, kind);
  if (kind === 'strings') return [indexOf('trigrams', [value])];
  const orders = [`(${value})`, `(${value}) DESC NULLS LAST`].map((order) =>
    indexOf('order', ['repository', order, 'id']),
  );
  return kind === 'string' && !textsWithPatterns.includes(term)
    ? [...orders, indexOf('trigrams', [value])]
    : orders;
}

/** The indexes that a model declares, and the stock index. */
export const searchIndexesOf = (model: Model): readonly SearchIndexDefinition[] => [
  stockIndex,
  ...[...model.indexes.keys()].flatMap((property) => indexesOf(indexableTerm(model, property))),
];

/** Checks the properties for which a model declares indexes. @throws ModelError with all faults. */
export function requireValidIndexes(model: Model): void {
  const faults: Fault[] = [];
  for (const [property, file] of model.indexes) {
    try {
      indexableTerm(model, property);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const fault = error.field === 'query' ? error.fault : error.message;
      faults.push({ ...(file !== undefined && { file }), location: `indexes.${property}`, fault });
    }
  }
  requireNoFaults(faults);
}
