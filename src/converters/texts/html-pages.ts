import escapeHtml from 'escape-html';
import { readStart } from '../../blobs/text.ts';
import type { Converted, Converter } from '../converter.ts';
import { textLimit } from './text-limit.ts';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;margin:1rem}pre{white-space:pre-wrap}img{max-width:100%}';

/** A self-contained HTML page. */
export const asPage = (body: string): Converted => ({
  mimeType: 'text/html',
  bytes: Buffer.from(
    `<!DOCTYPE html><html><head><meta charset="utf-8"><style>${style}</style></head><body>${body}</body></html>\n`,
  ),
});

export const markdownTypes = ['text/markdown', 'text/x-web-markdown', 'text/x-markdown'];

/** Converts Markdown to HTML. HTML in the Markdown is kept as it is. */
export async function htmlOfMarkdown(file: string): Promise<string> {
  const { marked } = await import('marked');
  return marked.parse(await readStart(file, textLimit), { async: true });
}

const markdownHtml: Converter = {
  name: 'md2html',
  makes: 'html',
  takes: markdownTypes,
  convert: async ({ file }) => asPage(await htmlOfMarkdown(file)),
};

const textHtml: Converter = {
  name: 'text2html',
  makes: 'html',
  takes: ['text/plain', 'text/csv', 'application/json', 'application/xml', 'text/xml'],
  convert: async ({ file }) => asPage(`<pre>${escapeHtml(await readStart(file, textLimit))}</pre>`),
};

export const htmlPages: readonly Converter[] = [markdownHtml, textHtml];
