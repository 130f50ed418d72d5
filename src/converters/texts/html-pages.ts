import escapeHtml from 'escape-html';
import { readStart } from '../../blobs/text.ts';
import type { Converted, Converter, Source } from '../converter.ts';
import { textLimit } from './text-limit.ts';

const style = `html{color-scheme:light dark;background:light-dark(#fff,#181f27);color:light-dark(#1a232d,#e6ebf0)}
body{font:16px/1.5 system-ui,sans-serif;margin:1rem;overflow-wrap:anywhere}pre{white-space:pre-wrap}img{max-width:100%;height:auto}
table{border-collapse:collapse}th,td{border:1px solid #8886;padding:.2rem .5rem;text-align:left;vertical-align:top}`;

/**
 * A self-contained HTML page.
 * @param rules CSS rules in addition to those of all pages
 */
export const asPage = (body: string, rules = ''): Converted => ({
  mimeType: 'text/html',
  bytes: Buffer.from(
    `<!DOCTYPE html><html><head><meta charset="utf-8"><style>${style}${rules}</style></head><body>${body}</body></html>\n`,
  ),
});

export const markdownTypes = ['text/markdown', 'text/x-web-markdown', 'text/x-markdown'];

/** Converts Markdown to HTML. Inline HTML remains unchanged. */
export async function htmlOfMarkdown({ file, encoding }: Source): Promise<string> {
  const { marked } = await import('marked');
  return marked.parse(await readStart(file, textLimit, encoding), { async: true });
}

const markdownHtml: Converter = {
  name: 'md2html',
  makes: 'html',
  takes: markdownTypes,
  convert: async (source) => asPage(await htmlOfMarkdown(source)),
};

const textHtml: Converter = {
  name: 'text2html',
  makes: 'html',
  takes: ['text/plain'],
  convert: async ({ file, encoding }) =>
    asPage(`<pre>${escapeHtml(await readStart(file, textLimit, encoding))}</pre>`),
};

export const htmlPages: readonly Converter[] = [markdownHtml, textHtml];
