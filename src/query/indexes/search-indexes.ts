import { createHash } from 'node:crypto';
import { AppError, Invalid } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { type Fault, requireNoFaults } from '../../model/model-error.ts';
import { newCompilation, propertyOperand } from '../operand.ts';
import { SqlParameters } from '../parameters.ts';
import { type IndexedKind, indexedValueSql, isIndexableKind, textsWithPatterns } from './indexed-values.ts';

/** The definition of an index on the table `search_document`. */
export interface SearchIndexDefinition {
  /** The name contains a hash of the definition. An existing index with this name therefore has this definition. */
  readonly name: string;
  /** The kind of index: a GIN index of trigrams for patterns, or a B-tree for comparisons and sorting. */
  readonly of: 'trigrams' | 'order';
  /** The SQL expressions for the columns. */
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

/**
 * Returns the terms for which a declared index is built.
 * @throws Invalid if the property cannot be indexed, or is indexed in every model
 */
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
  if (isColumn) throw new Invalid(`${property} does not need an index, because it is indexed in every model`);
  if (term !== undefined && from !== undefined && hasPatterns) return { term, kind: 'strings' };
  if (term === undefined || from !== undefined || !isIndexableKind(kind))
    throw new Invalid(`${property} is not a string, a list of strings, a number or a date`);
  return { term, kind };
}

// Returns the indexes of a property. Values that are not set come last in both directions, so each direction needs its
// own index. Results cannot be sorted by lists.
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

/** Returns the indexes that a model declares, and the built-in index. */
export const searchIndexesOf = (model: Model): readonly SearchIndexDefinition[] => [
  stockIndex,
  ...[...model.indexes.keys()].flatMap((property) => indexesOf(indexableTerm(model, property))),
];

/**
 * Checks the properties for which a model declares indexes.
 * @throws ModelError, which lists all errors
 */
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
