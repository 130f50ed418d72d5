import type { Model } from '../model/model.ts';
import { fieldOf, isFields, type StoredValue } from '../model/stored.ts';
import { propertyOf } from '../model/value-at.ts';
import type { Query } from '../query/ast.ts';
import { type SoughtWords, segmentsOf, soughtWords } from '../query/highlight.ts';
import type { DocumentRow } from './document-row.ts';

/** Where in a field of a document the words are that a search looked for. */
export interface Highlight {
  readonly field: string;
  readonly segments: readonly string[];
}

/** What a search looked for, and the fields in which that is shown. */
interface Sought {
  readonly words: readonly SoughtWords[];
  readonly fields: readonly string[];
}

const soughtBy = new WeakMap<DocumentRow, Sought>();

/** Notes of what a search found what it looked for, and in which fields that is to be shown. */
export function noteSought(found: readonly DocumentRow[], { where }: Query, fields: readonly string[]): void {
  const sought = { words: soughtWords(where), fields };
  for (const row of found) soughtBy.set(row, sought);
}

/** The xpath of a field: search engines write dots for slashes, and `.fulltext` behind it. */
const xpathOf = (field: string): string => field.replace(/\.fulltext$/, '').replaceAll('.', '/');

function textsIn(value: StoredValue | undefined, [name, ...names]: readonly string[]): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => textsIn(item, name === undefined ? [] : [name, ...names]));
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  return isFields(value) ? textsIn(fieldOf(value, name), names) : [];
}

/** The texts that a document has at an xpath, if its schemas know it. */
function textsAt({ type, facets, properties }: DocumentRow, xpath: string, model: Model): string[] {
  const [first = '', ...names] = xpath.split('/');
  if (!propertyOf(model.schemasOf(type, facets), first)) return [];
  return textsIn(properties[first], names);
}

/** The fields of a document in which the words are that the search looked for; nothing for what no search found. */
export function highlightsOf(row: DocumentRow, model: Model): Highlight[] | undefined {
  const sought = soughtBy.get(row);
  return sought?.fields.flatMap((field) => {
    const xpath = xpathOf(field);
    const phrases = sought.words
      .filter(({ property }) => property === undefined || property === xpath)
      .flatMap((words) => words.phrases);
    const segments = textsAt(row, xpath, model).flatMap((text) => segmentsOf(text, phrases));
    return segments.length > 0 ? [{ field, segments }] : [];
  });
}
