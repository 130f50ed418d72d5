import { fileHeaders } from '../graphql/client.ts';

/** A line of text on a page: its left, top, width and height in points, and the text. */
export type Line = readonly [left: number, top: number, width: number, height: number, text: string];

export interface PageLayout {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly Line[];
}

/** Loads the sizes of the pages of a file, and the positions of their lines. @throws Error if the file has no pages */
export async function loadLayout(address: string): Promise<readonly PageLayout[]> {
  const response = await fetch(address, { headers: fileHeaders() });
  if (!response.ok) throw new Error(response.statusText);
  return ((await response.json()) as { readonly pages: readonly PageLayout[] }).pages;
}

/** A part of a line that matches the words to find. */
export interface FoundPart {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** A match on a page; it consists of several parts if it continues on the next line. */
export interface Match {
  readonly page: number;
  readonly parts: readonly FoundPart[];
}

const maxMatches = 1_000;

const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Finds words on all pages, regardless of letter case, spaces and line breaks. */
export function findWords(pages: readonly PageLayout[], words: string): readonly Match[] {
  const typed = words.trim().split(/\s+/).filter(Boolean);
  if (typed.length === 0) return [];
  const pattern = new RegExp(typed.map(escaped).join('\\s+'), 'giu');
  const found: Match[] = [];
  for (const [page, { lines }] of pages.entries()) {
    const starts: number[] = [];
    let joined = '';
    for (const [, , , , text] of lines) {
      starts.push(joined.length);
      joined += `${text}\n`;
    }
    for (const match of joined.matchAll(pattern)) {
      const [first, last] = [match.index, match.index + match[0].length];
      const parts = lines.flatMap(([, , , , text], line): FoundPart[] => {
        const start = Math.max(0, first - (starts[line] ?? 0));
        const end = Math.min(text.length, last - (starts[line] ?? 0));
        return start < end ? [{ line, start, end }] : [];
      });
      found.push({ page, parts });
      if (found.length >= maxMatches) return found;
    }
  }
  return found;
}
