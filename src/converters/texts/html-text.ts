import { readStart } from '../../blobs/text.ts';
import type { Converter } from '../converter.ts';
import { htmlOfMarkdown, markdownTypes } from './html-pages.ts';
import { asText, textLimit } from './text-limit.ts';

/** The maximum length of HTML that is read, as a multiple of the maximum length of its text. */
const markupPerText = 4;

/** The text of an HTML page as a browser shows it, without URLs of links and without pictures. */
export async function textOfHtml(html: string): Promise<string> {
  const { convert } = await import('html-to-text');
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: markupPerText * textLimit, maxDepth: 200 },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'table', format: 'block' },
    ],
  });
}

const htmlText: Converter = {
  name: 'html2text',
  makes: 'text',
  takes: ['text/html', 'application/xhtml+xml'],
  convert: async ({ file }) => asText(await textOfHtml(await readStart(file, markupPerText * textLimit))),
};

const markdownText: Converter = {
  name: 'md2text',
  makes: 'text',
  takes: markdownTypes,
  convert: async ({ file }) => asText(await textOfHtml(await htmlOfMarkdown(file))),
};

/** Returns text formats unchanged, in UTF-8. Their markup is part of what people read. */
const dataText: Converter = {
  name: 'data2text',
  makes: 'text',
  takes: ['text/csv', 'application/json', 'application/xml', 'text/xml'],
  convert: async ({ file }) => asText(await readStart(file, textLimit)),
};

export const htmlTexts: readonly Converter[] = [htmlText, markdownText, dataText];
