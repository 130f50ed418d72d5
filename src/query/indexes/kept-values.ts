import type { SqlParameters } from '../parameters.ts';
import type { ValueKind } from '../value-kind.ts';

/** What ends how a long text begins, in place of the rest of it. */
const longMark = '\x01long';

/** A condition that holds for the marked texts; an index answers it. */
export const longPattern = `%${longMark}`;

/** Of `strings` all are kept, each on a line: they are searched by patterns alone. */
export type KeptKind = Extract<ValueKind, 'string' | 'number' | 'date'> | 'strings';

/** Kinds of values that can be read from the terms of a document, to be compared and sorted by. */
export const isKeptKind = (kind: ValueKind): kind is Exclude<KeptKind, 'strings'> =>
  kind === 'string' || kind === 'number' || kind === 'date';

/**
 * The SQL of the value that terms of the search index have of a property: what its indexes are of. A text of
 * more than 200 bytes is the first 50 characters of it, and a mark.
 * @param name the SQL of the name of its terms.
 */
export function keptValueSql(terms: string, name: string, kind: KeptKind): string {
  const value = `search_value(${terms}, ${name}, '${kind === 'date' ? 'string' : kind}')`;
  if (kind === 'number') return `(${value}::numeric)`;
  return kind === 'date' ? `(${value} COLLATE "C")` : value;
}

/** The same of documents `d`. */
export const keptOf = (term: string, kind: KeptKind, parameters: SqlParameters): string =>
  keptValueSql('d.kept', parameters.add(term, 'text'), kind);

/** Texts whose patterns an index answers in every model, by the name of their terms. */
export const textsWithPatterns: readonly string[] = ['dc:title', 'file:content/name'];
