import escapeHtml from 'escape-html';
import type { Converter } from '../converter.ts';
import { work } from '../process-usage.ts';
import { asPage } from '../texts/html-pages.ts';
import { textLimit } from '../texts/text-limit.ts';
import { eachPage } from './pdf-pages.ts';
import { drawPage } from './pdf-picture.ts';

const pictureSize = 1_000; // the length of the longer side in pixels

/**
 * The maximum number of pages that are converted to pictures; further pages are converted to text. After some seconds
 * of CPU time, the remaining pages are also converted to text, because converters are killed after 3.5 seconds.
 */
const maxPictures = 50;
const maxSeconds = 2.2;

const pictureOf = (jpeg: Buffer, words: string): string =>
  `<p><img src="data:image/jpeg;base64,${jpeg.toString('base64')}" alt="${escapeHtml(words)}"></p>`;

/** Converts a PDF, such as the slides of a presentation, to an HTML page with one picture per page. */
export const pdfHtml: Converter = {
  name: 'pdf2html',
  makes: 'html',
  takes: ['application/pdf'],
  convert: async ({ file }) => {
    const began = work();
    const parts: string[] = [];
    let length = 0;
    await eachPage(file, async (page) => {
      const words = page
        .getText()
        .trim()
        .slice(0, textLimit - length);
      const isFirst = parts.length === 0;
      const isDrawn = isFirst || (parts.length < maxPictures && work() - began < maxSeconds);
      parts.push(
        isDrawn
          ? pictureOf(await drawPage(page, pictureSize, 'jpeg'), words)
          : `<pre>${escapeHtml(words)}</pre>`,
      );
      length += words.length;
      return length >= textLimit;
    });
    return asPage(parts.join('\n'));
  },
};
