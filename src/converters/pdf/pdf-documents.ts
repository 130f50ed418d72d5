import type { PDFDocument } from 'pdf-lib';
import type { Converted, Source } from '../converter.ts';
import { readWhole } from '../whole-file.ts';

/** The maximum number of pages in a PDF. Even a small file can claim to have any number of pages. */
export const maxPdfPages = 10_000;

/** Opens a PDF for modification. @throws Error for damaged and encrypted files. */
export async function openPdf({ file }: Pick<Source, 'file'>): Promise<PDFDocument> {
  const { PDFDocument: Pdf } = await import('pdf-lib');
  const document = await Pdf.load(await readWhole(file), { updateMetadata: false });
  if (document.getPageCount() > maxPdfPages) throw new Error(`the file has more than ${maxPdfPages} pages`);
  return document;
}

export const newPdf = async (): Promise<PDFDocument> => (await import('pdf-lib')).PDFDocument.create();

export const asPdf = async (document: PDFDocument): Promise<Converted> => ({
  mimeType: 'application/pdf',
  bytes: await document.save(),
});
