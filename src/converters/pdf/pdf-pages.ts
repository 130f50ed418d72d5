import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
import { readWhole } from '../whole-file.ts';

/** Opens a PDF for reading and calls `work`. @throws Error for damaged and encrypted files. */
export async function openPdfium<T>(
  file: string,
  work: (document: PDFiumDocument) => Promise<T>,
): Promise<T> {
  const bytes = await readWhole(file);
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  const result = await work(document);
  // After an error these calls are skipped; the memory is released with the WebAssembly module.
  document.destroy();
  library.destroy();
  return result;
}

/** Calls `visit` for each page of a PDF until it returns true. @throws Error for damaged and encrypted files. */
export const eachPage = (
  file: string,
  visit: (page: PDFiumPage) => boolean | Promise<boolean>,
): Promise<void> =>
  openPdfium(file, async (document) => {
    for (const page of document.pages()) if (await visit(page)) break;
  });
