import type { SqlParameters } from '../parameters.ts';
import type { ValueKind } from '../value-kind.ts';

/** The marker that follows the first 50 characters of a long string and replaces the rest. */
const longMark = '\x01long';

/** A LIKE pattern for strings with the marker. PostgreSQL evaluates it with the trigram index. */
export const longPattern = `%${longMark}`;

/**
 * The kinds of indexed values. `strings` stands for the items of a list joined with line breaks; this text is used only
 * for pattern matching.
 */
export type IndexedKind = Extract<ValueKind, 'string' | 'number' | 'date'> | 'strings';

/** Returns whether values of a kind can be read from the terms of a document for comparing and sorting. */
export const isIndexableKind = (kind: ValueKind): kind is Exclude<IndexedKind, 'strings'> =>
  kind === 'string' || kind === 'number' || kind === 'date';

/**
 * Returns the SQL expression that reads a property's value from the terms of the search index. Indexes are defined on
 * exactly this expression, because PostgreSQL uses them only for conditions and sort keys that repeat it. A string with
 * more than 200 bytes is represented by its first 50 characters and a marker.
 * @param terms the SQL expression for the array of terms
 * @param name the SQL expression for the name of the property's terms
 */
export function indexedValueSql(terms: string, name: string, kind: IndexedKind): string {
  const value = `search_value(${terms}, ${name}, '${kind === 'date' ? 'string' : kind}')`;
  if (kind === 'number') return `(${value}::numeric)`;
  return kind === 'date' ? `(${value} COLLATE "C")` : value;
}

/** Returns the SQL expression for a property's indexed value in documents `d`. */
export const indexedValueOf = (term: string, kind: IndexedKind, parameters: SqlParameters): string =>
  indexedValueSql('d.kept', parameters.add(term, 'text'), kind);

/** The properties that the built-in trigram index contains, given as the names of their terms. */
export const textsWithPatterns: readonly string[] = ['dc:title', 'file:content/name'];
