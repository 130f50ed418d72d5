import { readStart } from '../../blobs/text.ts';
import type { Converter } from '../converter.ts';
import { htmlOfMarkdown, markdownTypes } from './html-pages.ts';
import { asText, textLimit } from './text-limit.ts';

/** The maximum length of HTML input, as a multiple of the maximum length of the extracted text. */
const markupPerText = 4;

/** Returns the text of an HTML page as a browser shows it, without pictures and link URLs. */
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
  convert: async ({ file, encoding }) =>
    asText(await textOfHtml(await readStart(file, markupPerText * textLimit, encoding))),
};

const markdownText: Converter = {
  name: 'md2text',
  makes: 'text',
  takes: markdownTypes,
  convert: async (source) => asText(await textOfHtml(await htmlOfMarkdown(source))),
};

/**
 * Returns data formats such as XML as unchanged text in UTF-8, because people read the text together with its markup.
 */
const dataText: Converter = {
  name: 'data2text',
  makes: 'text',
  takes: ['text/csv', 'application/json', 'application/xml', 'text/xml'],
  convert: async ({ file, encoding }) => asText(await readStart(file, textLimit, encoding)),
};

export const htmlTexts: readonly Converter[] = [htmlText, markdownText, dataText];
