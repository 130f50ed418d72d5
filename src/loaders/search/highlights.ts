import type { Model } from '../../model/model.ts';
import { fieldOf, isFields, type StoredValue } from '../../model/values/stored.ts';
import { topLevelProperty } from '../../model/values/value-location.ts';
import type { Query } from '../../query/ast.ts';
import { highlightedSegments, type SearchedWords, searchedWords } from '../../query/highlight.ts';
import type { DocumentRow } from '../documents/document-row.ts';

export interface Highlight {
  readonly field: string;
  readonly segments: readonly string[];
}

/** A document found by a search, with the words searched for and the fields in which to highlight them. */
interface FoundDocument extends DocumentRow {
  readonly highlight: { readonly words: readonly SearchedWords[]; readonly fields: readonly string[] };
}

export function withHighlightTerms(
  rows: readonly DocumentRow[],
  { where }: Query,
  fields: readonly string[],
): FoundDocument[] {
  const highlight = { words: searchedWords(where), fields };
  return rows.map((row) => ({ ...row, highlight }));
}

const isFound = (row: DocumentRow): row is FoundDocument => 'highlight' in row;

/** The xpath of a field; clients may write it like Elasticsearch, with dots and the suffix `.fulltext`. */
const xpathOf = (field: string): string => field.replace(/\.fulltext$/, '').replaceAll('.', '/');

function textsIn(value: StoredValue | undefined, [name, ...names]: readonly string[]): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => textsIn(item, name === undefined ? [] : [name, ...names]));
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  return isFields(value) ? textsIn(fieldOf(value, name), names) : [];
}

function textsAt({ type, facets, properties }: DocumentRow, xpath: string, model: Model): string[] {
  const [first = '', ...names] = xpath.split('/');
  if (!topLevelProperty(model.schemasOf(type, facets), first)) return [];
  return textsIn(properties[first], names);
}

/** The highlights of a found document; undefined for a document that no search found. */
export function highlightsOf(row: DocumentRow, model: Model): Highlight[] | undefined {
  if (!isFound(row)) return undefined;
  const { words: searched, fields } = row.highlight;
  return fields.flatMap((field) => {
    const xpath = xpathOf(field);
    const phrases = searched
      .filter(({ property }) => property === undefined || property === xpath)
      .flatMap((words) => words.phrases);
    const segments = textsAt(row, xpath, model).flatMap((text) => highlightedSegments(text, phrases));
    return segments.length > 0 ? [{ field, segments }] : [];
  });
}
