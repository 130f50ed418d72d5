import { createHash } from 'node:crypto';
import { AppError, Invalid } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { type Fault, requireNoFaults } from '../../model/model-error.ts';
import { newCompilation, propertyOperand } from '../operand.ts';
import { SqlParameters } from '../parameters.ts';
import { isKeptKind, type KeptKind, keptValueSql, textsWithPatterns } from './kept-values.ts';

/** An index of `search_document`. */
export interface SearchIndexDefinition {
  /** Differs for each definition: an index of that name is as it should be. */
  readonly name: string;
  /** Of trigrams, by which patterns are answered, or of an order. */
  readonly of: 'trigrams' | 'order';
  /** SQL: of trigrams, the texts. */
  readonly columns: readonly string[];
}

/** Indexes with such a name are ours to make and to drop. */
export const searchIndexPrefix = 'search_value_';

function indexOf(of: SearchIndexDefinition['of'], columns: readonly string[]): SearchIndexDefinition {
  const digest = createHash('sha256')
    .update(JSON.stringify([of, columns]))
    .digest('hex');
  return { name: `${searchIndexPrefix}${digest.slice(0, 20)}`, of, columns };
}

const keptColumn = (term: string, kind: KeptKind): string =>
  keptValueSql('terms', `'${term.replaceAll("'", "''")}'`, kind);

const stockIndex = indexOf('trigrams', [
  'name',
  ...textsWithPatterns.map((term) => keptColumn(term, 'string')),
]);

/** @throws Invalid where it has other values than these, and where every model has an index of it. */
function keptTerm(model: Model, property: string): { readonly term: string; readonly kind: KeptKind } {
  const parameters = new SqlParameters([]);
  const none = () => 'false';
  const operand = propertyOperand(
    property,
    newCompilation({ model, parameters, now: '', mayRead: none, mayReadAcl: none }),
  );
  const { term, kind, from, isColumn, hasPatterns } = operand;
  if (isColumn) throw new Invalid(`${property} has an index in every model`);
  if (term !== undefined && from !== undefined && hasPatterns) return { term, kind: 'strings' };
  if (term === undefined || from !== undefined || !isKeptKind(kind))
    throw new Invalid(`${property} is not a text, a list of texts, a number or a date`);
  return { term, kind };
}

// Both directions, since unset values come last in either; a list has no order.
function indexesOf({ term, kind }: ReturnType<typeof keptTerm>): SearchIndexDefinition[] {
  const value = keptColumn(term, kind);
  if (kind === 'strings') return [indexOf('trigrams', [value])];
  const orders = [`(${value})`, `(${value}) DESC NULLS LAST`].map((order) =>
    indexOf('order', ['repository', order, 'id']),
  );
  return kind === 'string' && !textsWithPatterns.includes(term)
    ? [...orders, indexOf('trigrams', [value])]
    : orders;
}

/** The indexes that a model asks for, and those of every model. */
export const searchIndexesOf = (model: Model): readonly SearchIndexDefinition[] => [
  stockIndex,
  ...[...model.indexes.keys()].flatMap((property) => indexesOf(keptTerm(model, property))),
];

/** Checks the properties that are to have indexes. @throws ModelError */
export function requireValidIndexes(model: Model): void {
  const faults: Fault[] = [];
  for (const [property, file] of model.indexes) {
    try {
      keptTerm(model, property);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const fault = error.field === 'query' ? error.fault : error.message;
      faults.push({ ...(file !== undefined && { file }), location: `indexes.${property}`, fault });
    }
  }
  requireNoFaults(faults);
}
