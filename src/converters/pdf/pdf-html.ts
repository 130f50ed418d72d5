import escapeHtml from 'escape-html';
import type { Converter } from '../converter.ts';
import { work } from '../process-usage.ts';
import { asPage } from '../texts/html-pages.ts';
import { textLimit } from '../texts/text-limit.ts';
import { eachPage } from './pdf-pages.ts';
import { drawPage } from './pdf-picture.ts';

const pictureSize = 1_000; // pixels

/** Pages and seconds of work after which pages are words alone: after 3.5 the converter is ended. */
const mostPictures = 50;
const mostSeconds = 2.2;

const pictureOf = (jpeg: Buffer, words: string): string =>
  `<p><img src="data:image/jpeg;base64,${jpeg.toString('base64')}" alt="${escapeHtml(words)}"></p>`;

/** The pages of a PDF, and so the slides of a presentation, as pictures in one page of HTML. */
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
      const isDrawn = isFirst || (parts.length < mostPictures && work() - began < mostSeconds);
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
