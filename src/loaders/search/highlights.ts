import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { textOfHtml } from '../../converters/texts/html-text.ts';
import type { Model } from '../../model/model.ts';
import { withPrefix } from '../../model/values/bare-names.ts';
import { fieldOf, isFields, type StoredValue } from '../../model/values/stored.ts';
import { topLevelProperty } from '../../model/values/value-location.ts';
import type { Query } from '../../query/ast.ts';
import { QueryBudget } from '../../query/budget.ts';
import { highlightedSegments, type SearchedWords, searchedWords } from '../../query/highlight.ts';
import { namesIn } from '../../query/operand.ts';
import type { DocumentRow } from '../documents/document-row.ts';

export interface Highlight {
  readonly field: string;
  readonly segments: readonly string[];
}

/** Of each text only the beginning is searched, and of all texts of a page together so many characters. */
const mostCharacters = { text: 50_000, page: 5_000_000 };

/** Milliseconds after which other requests get a turn. */
const longestStretch = 10;

/** What is highlighted in the documents of one page: one after the other, as it takes long for long texts. */
class PageHighlights {
  readonly words: readonly SearchedWords[];
  readonly fields: readonly string[];
  readonly #oneByOne = pLimit(1);
  #left = mostCharacters.page;
  #began = 0;

  constructor({ where }: Query, fields: readonly string[]) {
    this.words = searchedWords(where);
    this.fields = fields;
  }

  beginningOf(text: string): string {
    const part = text.slice(0, Math.min(this.#left, mostCharacters.text));
    this.#left -= part.length;
    return part;
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#oneByOne(async () => {
      if (performance.now() - this.#began > longestStretch) {
        await setImmediate();
        this.#began = performance.now();
      }
      return work();
    });
  }
}

interface FoundDocument extends DocumentRow {
  readonly highlights: PageHighlights;
}

/**
 * Prepares the documents of a page for the enricher.
 * @param asked the fields that the request names; `usual` ones apply when it names none.
 * @throws Invalid on too many fields.
 */
export function highlighting(
  query: Query,
  asked: readonly string[] | null | undefined,
  usual: readonly string[] = [],
): (rows: readonly DocumentRow[]) => FoundDocument[] {
  const fields = [...new Set(asked)];
  new QueryBudget().spend('fields to highlight', fields.length);
  return (rows) => {
    const highlights = new PageHighlights(query, fields.length > 0 ? fields : usual);
    return rows.map((row) => ({ ...row, highlights }));
  };
}

const isFound = (row: DocumentRow): row is FoundDocument => 'highlights' in row;

/** The xpath of a field; clients may write it like Elasticsearch, with dots and the suffix `.fulltext`. */
const xpathOf = (field: string): string => field.replace(/\.fulltext$/, '').replaceAll('.', '/');

/** The path of a searched property without the steps into lists, which fields do not have either. */
const pathOf = (property: string, model: Model): string =>
  namesIn(withPrefix(model, property))
    .filter((name) => !/^(?:\*|\d+)$/.test(name))
    .join('/');

function textsIn(value: StoredValue | undefined, [name, ...names]: readonly string[]): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => textsIn(item, name === undefined ? [] : [name, ...names]));
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  return isFields(value) ? textsIn(fieldOf(value, name), names) : [];
}

const isHtml = ({ properties }: DocumentRow): boolean =>
  /^(text\/html|application\/xhtml\+xml)\b/.test(String(properties['note:mime_type'] ?? ''));

/** The texts of a property as people read them: those of a note in HTML without its markup. */
async function textsAt(row: FoundDocument, xpath: string, model: Model): Promise<string[]> {
  const { type, facets, properties, highlights } = row;
  const [first = '', ...names] = xpath.split('/');
  if (!topLevelProperty(model.schemasOf(type, facets), first)) return [];
  const texts = textsIn(properties[first], names).map((text) => highlights.beginningOf(text));
  if (xpath !== 'note:note' || !isHtml(row)) return texts;
  return Promise.all(texts.map((text) => textOfHtml(text)));
}

async function highlightsIn(row: FoundDocument, model: Model): Promise<Highlight[]> {
  const { highlights } = row;
  const found: Highlight[] = [];
  for (const field of highlights.fields) {
    const xpath = xpathOf(field);
    const phrases = highlights.words
      .filter(({ property }) => property === undefined || pathOf(property, model) === xpath)
      .flatMap((words) => words.phrases);
    if (phrases.length === 0) continue;
    const texts = await textsAt(row, xpath, model);
    const segments = texts.flatMap((text) => highlightedSegments(text, phrases));
    if (segments.length > 0) found.push({ field, segments });
  }
  return found;
}

/** The highlights of a found document; undefined for a document that no search found. */
export async function highlightsOf(row: DocumentRow, model: Model): Promise<Highlight[] | undefined> {
  return isFound(row) ? row.highlights.inTurn(() => highlightsIn(row, model)) : undefined;
}
