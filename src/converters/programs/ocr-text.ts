import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionTask, Converter } from '../converter.ts';
import { textOfPage } from '../pdf/page-text.ts';
import { openPdfium } from '../pdf/pdf-pages.ts';
import { drawPage } from '../pdf/pdf-picture.ts';
import { openPicture, pictureTypes } from '../picture.ts';
import { asText, textLimit } from '../texts/text-limit.ts';
import { programPath } from './programs.ts';
import { runProgram } from './run-program.ts';

/** The length of the longer side of a page that is sent to OCR, in pixels: about 200 dots per inch for A4. */
const scanSize = 2_300;

/** The maximum number of pages to recognize, because each page takes several seconds. */
const maxScannedPages = 20;

/**
 * A page with fewer characters than this is considered scanned. A scanned page may contain some text, such as a page
 * number or a stamp.
 */
const minText = 16;

const pageSeconds = 30;

/** The limit on CPU time in seconds, not including the time that tesseract uses. */
const seconds = 30;

/** Recognizes the text in a picture. */
async function recognizeText({ tools, folder }: ConversionTask, picture: Buffer): Promise<string> {
  const file = join(folder, 'page.png');
  await writeFile(file, picture);
  const args = [file, 'stdout', '-l', tools.ocrLanguages];
  const path = programPath(tools, 'tesseract');
  return (await runProgram({ path, args, folder, seconds: pageSeconds, tools })).output;
}

const pictureText: Converter = {
  name: 'image2text',
  makes: 'text',
  takes: pictureTypes.filter((type) => type !== 'image/svg+xml'),
  needs: ['tesseract'],
  seconds,
  convert: async (task) => {
    const { picture } = await openPicture(task.file);
    const page = await picture
      .resize(scanSize, scanSize, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .greyscale()
      .png()
      .toBuffer();
    return asText(await recognizeText(task, page));
  },
};

/** Extracts the text of a PDF, page by page. tesseract recognizes the text of scanned pages. */
const scannedText: Converter = {
  name: 'scan2text',
  makes: 'text',
  takes: ['application/pdf'],
  needs: ['tesseract'],
  seconds,
  timeout: 300,
  convert: (task) =>
    openPdfium(task.file, async (document) => {
      let text = '';
      let scanned = 0;
      for (const page of document.pages()) {
        let words = textOfPage(page);
        if (words.trim().length < minText && scanned < maxScannedPages) {
          scanned += 1;
          words += await recognizeText(task, await drawPage(page, scanSize, 'png'));
        }
        text += `${words}\n`;
        if (text.length >= textLimit) break;
      }
      return asText(text);
    }),
};

export const ocrText: readonly Converter[] = [pictureText, scannedText];
