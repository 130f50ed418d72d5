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
import type { WordAnalysis } from '../../words/atoms.ts';
import type { DocumentRow } from '../documents/document-row.ts';

export interface Highlight {
  readonly field: string;
  readonly segments: readonly string[];
}

/** The number of characters that are searched at the beginning of each text, and in all texts of a page together. */
const maxCharacters = { text: 50_000, page: 5_000_000 };

/** The time in milliseconds after which highlighting yields the event loop to other requests. */
const maxBlockingTime = 10;

/**
 * The highlights of one page. Its documents are searched one after the other, with pauses for other requests, because
 * searching long texts takes a long time.
 */
class PageHighlights {
  readonly words: readonly SearchedWords[];
  readonly fields: readonly string[];
  readonly #oneByOne = pLimit(1);
  #left = maxCharacters.page;
  #began = 0;

  readonly analysis: WordAnalysis;

  constructor({ where }: Query, fields: readonly string[], analysis: WordAnalysis) {
    this.analysis = analysis;
    this.words = searchedWords(where, analysis);
    this.fields = fields;
  }

  beginningOf(text: string): string {
    const part = text.slice(0, Math.min(this.#left, maxCharacters.text));
    this.#left -= part.length;
    return part;
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#oneByOne(async () => {
      if (performance.now() - this.#began > maxBlockingTime) {
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
 * Prepares the documents on a page for the enricher `highlight`.
 * @param requested the fields that the request names
 * @param defaults the fields to highlight if the request names none
 * @throws Invalid for too many fields
 */
export function highlighting(
  query: Query,
  requested: readonly string[] | null | undefined,
  defaults: readonly string[] | undefined,
  analysis: WordAnalysis,
): (rows: readonly DocumentRow[]) => FoundDocument[] {
  const fields = [...new Set(requested)];
  new QueryBudget().spend('fields to highlight', fields.length);
  return (rows) => {
    const highlights = new PageHighlights(query, fields.length > 0 ? fields : (defaults ?? []), analysis);
    return rows.map((row) => ({ ...row, highlights }));
  };
}

const isFound = (row: DocumentRow): row is FoundDocument => 'highlights' in row;

/**
 * The xpath that a field name stands for. Clients can use the syntax of Elasticsearch, with dots and the suffix
 * `.fulltext`.
 */
const xpathOf = (field: string): string => field.replace(/\.fulltext$/, '').replaceAll('.', '/');

/** The path of a searched property without list indexes and wildcards, which field names do not contain. */
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

/** The texts in a property in the form in which people read them. HTML notes are converted to plain text. */
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
    const segments = texts.flatMap((text) => highlightedSegments(text, phrases, highlights.analysis));
    if (segments.length > 0) found.push({ field, segments });
  }
  return found;
}

/** The highlights in a document that was found by a search; undefined for any other document. */
export async function highlightsOf(row: DocumentRow, model: Model): Promise<Highlight[] | undefined> {
  return isFound(row) ? row.highlights.inTurn(() => highlightsIn(row, model)) : undefined;
}
