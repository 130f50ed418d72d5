import type { PDFDocument } from 'pdf-lib';
import type { Converted, Source } from '../converter.ts';
import { readWhole } from '../whole-file.ts';

/** Pages of one file at most: a small file may claim any number. */
export const mostPages = 10_000;

/** A PDF that can be changed. @throws for damaged and encrypted files. */
export async function openPdf({ file }: Pick<Source, 'file'>): Promise<PDFDocument> {
  const { PDFDocument: Pdf } = await import('pdf-lib');
  const document = await Pdf.load(await readWhole(file), { updateMetadata: false });
  if (document.getPageCount() > mostPages) throw new Error(`it has more than ${mostPages} pages`);
  return document;
}

export const newPdf = async (): Promise<PDFDocument> => (await import('pdf-lib')).PDFDocument.create();

export const asPdf = async (document: PDFDocument): Promise<Converted> => ({
  mimeType: 'application/pdf',
  bytes: await document.save(),
});
