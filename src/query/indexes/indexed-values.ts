import type { SqlParameters } from '../parameters.ts';
import type { ValueKind } from '../value-kind.ts';

/** The mark that replaces the rest of a long text after its first 50 characters. */
const longMark = '\x01long';

/** A LIKE pattern for texts with the mark. A trigram index answers it. */
export const longPattern = `%${longMark}`;

/** The kinds of indexed values. `strings` joins all texts of a list by line breaks, for pattern matching only. */
export type IndexedKind = Extract<ValueKind, 'string' | 'number' | 'date'> | 'strings';

/** Whether values of a kind can be read from the terms of a document, in order to compare and sort them. */
export const isIndexableKind = (kind: ValueKind): kind is Exclude<IndexedKind, 'strings'> =>
  kind === 'string' || kind === 'number' || kind === 'date';

/**
 * SQL of the value of a property, read from the terms of the search index. Indexes are defined on exactly this expression,
 * so PostgreSQL uses them only for conditions and sort keys that repeat it. A text of more than 200 bytes is represented by
 * its first 50 characters and a mark.
 * @param terms SQL of the array of terms.
 * @param name SQL of the name of the property's terms.
 */
export function indexedValueSql(terms: string, name: string, kind: IndexedKind): string {
  const value = `search_value(${terms}, ${name}, '${kind === 'date' ? 'string' : kind}')`;
  if (kind === 'number') return `(${value}::numeric)`;
  return kind === 'date' ? `(${value} COLLATE "C")` : value;
}

/** SQL of the indexed value of a property of documents `d`. */
export const indexedValueOf = (term: string, kind: IndexedKind, parameters: SqlParameters): string =>
  indexedValueSql('d.kept', parameters.add(term, 'text'), kind);

/** The properties that the stock trigram index contains, by the name of their terms. */
export const textsWithPatterns: readonly string[] = ['dc:title', 'file:content/name'];
