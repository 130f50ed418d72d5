import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionTask, Converter } from '../converter.ts';
import { openPdfium } from '../pdf/pdf-pages.ts';
import { drawPage } from '../pdf/pdf-picture.ts';
import { openPicture, pictureTypes } from '../picture.ts';
import { asText, textLimit } from '../texts/text-limit.ts';
import { programPath } from './programs.ts';
import { runProgram } from './run-program.ts';

/** Of the longer side, in pixels: 200 dots per inch of a usual page. */
const scanSize = 2_300;

/** Pages that are recognized: each takes seconds. */
const mostPages = 20;

/** A page with fewer characters is a picture of one, with a number or a stamp. */
const leastText = 16;

const pageSeconds = 30;

/** Seconds of work; that of the program does not count here. */
const seconds = 30;

async function recognized({ tools, folder }: ConversionTask, picture: Buffer): Promise<string> {
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
    return asText(await recognized(task, page));
  },
};

/** The text of a PDF, page after page; of pages that are scanned, what is written on them. */
const scannedText: Converter = {
  name: 'scan2text',
  makes: 'text',
  takes: ['application/pdf'],
  needs: ['tesseract'],
  seconds,
  patience: 300,
  convert: (task) =>
    openPdfium(task.file, async (document) => {
      let text = '';
      let scanned = 0;
      for (const page of document.pages()) {
        let words = page.getText();
        if (words.trim().length < leastText && scanned < mostPages) {
          scanned += 1;
          words += await recognized(task, await drawPage(page, scanSize, 'png'));
        }
        text += `${words}\n`;
        if (text.length >= textLimit) break;
      }
      return asText(text);
    }),
};

export const ocrText: readonly Converter[] = [pictureText, scannedText];
