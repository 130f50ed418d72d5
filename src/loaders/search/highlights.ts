import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { BlobMissing } from '../../blobs/faults.ts';
import { essence } from '../../blobs/media-type.ts';
import { readBlobStart } from '../../blobs/text.ts';
import { convertersFor } from '../../converters/index.ts';
import { textOfHtml } from '../../converters/texts/html-text.ts';
import type { Model } from '../../model/model.ts';
import { withPrefix } from '../../model/values/bare-names.ts';
import { blobAt } from '../../model/values/document-blob.ts';
import { fieldOf, isFields, type StoredValue } from '../../model/values/stored.ts';
import { topLevelProperty } from '../../model/values/value-location.ts';
import type { Query } from '../../query/ast.ts';
import { QueryBudget } from '../../query/budget.ts';
import { highlightedSegments, type SearchedWords, searchedWords } from '../../query/highlight.ts';
import { namesIn } from '../../query/operand.ts';
import type { Scope } from '../../scope.ts';
import type { WordAnalysis } from '../../words/atoms.ts';
import type { DocumentRow } from '../documents/document-row.ts';

export interface Highlight {
  readonly field: string;
  readonly segments: readonly string[];
}

/**
 * The maximum number of characters that are searched: at the beginning of each text, and in all texts on a page
 * together.
 */
const maxCharacters = { text: 50_000, page: 5_000_000 };

/** The time in milliseconds after which highlighting lets other requests use the event loop. */
const maxBlockingTime = 10;

/**
 * The highlights of one page. Its documents are searched one after the other, with pauses for other requests, because
 * searching long texts takes a long time.
 */
class PageHighlights {
  readonly words: readonly SearchedWords[];
  readonly fields: readonly string[];
  readonly #rows: readonly DocumentRow[];
  readonly #oneByOne = pLimit(1);
  #extracted: Promise<ReadonlyMap<string, string>> | undefined;
  #left = maxCharacters.page;
  #began = 0;

  readonly analysis: WordAnalysis;

  constructor(
    { where }: Query,
    {
      fields,
      analysis,
      rows,
    }: Readonly<Pick<PageHighlights, 'fields' | 'analysis'>> & {
      readonly rows: readonly DocumentRow[];
    },
  ) {
    this.analysis = analysis;
    this.#rows = rows;
    this.words = searchedWords(where, analysis);
    this.fields = fields;
  }

  beginningOf(text: string): string {
    const part = text.slice(0, Math.min(this.#left, maxCharacters.text));
    this.#left -= part.length;
    return part;
  }

  /**
   * The digests of extracted texts by the digests of their files, for all files on the page: one statement reads them,
   * however many there are.
   */
  extracted({ db, services: { model, conversions } }: Using): Promise<ReadonlyMap<string, string>> {
    const read = async () => {
      const xpaths = this.fields.map(xpathOf).filter((xpath) => isFile(model, xpath));
      const files = this.#rows.flatMap((row) =>
        xpaths.flatMap((xpath) => blobAt(model, row, xpath)?.digest ?? []),
      );
      if (files.length === 0) return new Map<string, string>();
      const converter = { in: convertersFor('text', conversions.tools).map(({ name }) => name) };
      const made = await db.prisma.rendition.findMany({
        where: { sourceDigest: { in: [...new Set(files)] }, converter, digest: { not: null } },
        select: { sourceDigest: true, digest: true },
      });
      return new Map(made.map(({ sourceDigest, digest }) => [sourceDigest, digest ?? '']));
    };
    this.#extracted ??= read();
    return this.#extracted;
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

/** The parts of the context with which the texts of files are read. */
type Using = Pick<Scope, 'db' | 'services'>;

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
    const highlighted = fields.length > 0 ? fields : (defaults ?? []);
    const highlights = new PageHighlights(query, { fields: highlighted, analysis, rows });
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

/** The texts in a property, as readers see them: HTML notes are converted to plain text. */
async function textsAt(row: FoundDocument, xpath: string, model: Model): Promise<string[]> {
  const { type, facets, properties, highlights } = row;
  const [first = '', ...names] = xpath.split('/');
  if (!topLevelProperty(model.schemasOf(type, facets), first)) return [];
  const texts = textsIn(properties[first], names).map((text) => highlights.beginningOf(text));
  if (xpath !== 'note:note' || !isHtml(row)) return texts;
  return Promise.all(texts.map((text) => textOfHtml(text)));
}

const isFile = (model: Model, xpath: string): boolean => model.property(xpath)?.type === 'blob';

/** The beginning of the text of a file: the file itself, or the text that was extracted from it for the search index. */
async function textsOfFile(row: FoundDocument, xpath: string, source: Using): Promise<string[]> {
  const { model, blobs } = source.services;
  const blob = blobAt(model, row, xpath);
  if (!blob) return [];
  const extracted = (await row.highlights.extracted(source)).get(blob.digest);
  const isText = essence(blob.mimeType) === 'text/plain';
  if (extracted === undefined && !isText) return [];
  const read = extracted === undefined ? blob : { digest: extracted, encoding: 'utf-8' };
  try {
    return [row.highlights.beginningOf(await readBlobStart(blobs, read, maxCharacters.text))];
  } catch (error) {
    if (error instanceof BlobMissing) return []; // a result without an excerpt is better than none
    throw error;
  }
}

async function highlightsIn(row: FoundDocument, source: Using): Promise<Highlight[]> {
  const { model } = source.services;
  const { highlights } = row;
  const found: Highlight[] = [];
  for (const field of highlights.fields) {
    const xpath = xpathOf(field);
    const phrases = highlights.words
      .filter(({ property }) => property === undefined || pathOf(property, model) === xpath)
      .flatMap((words) => words.phrases);
    if (phrases.length === 0) continue;
    const texts = isFile(model, xpath)
      ? await textsOfFile(row, xpath, source)
      : await textsAt(row, xpath, model);
    const segments = texts.flatMap((text) => highlightedSegments(text, phrases, highlights.analysis));
    if (segments.length > 0) found.push({ field, segments });
  }
  return found;
}

/** The highlights in a document that was found by a search; undefined for any other document. */
export async function highlightsOf(row: DocumentRow, source: Using): Promise<Highlight[] | undefined> {
  return isFound(row) ? row.highlights.inTurn(() => highlightsIn(row, source)) : undefined;
}
