import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
import { encrypted } from '../encrypted.ts';
import { readWhole } from '../whole-file.ts';

/**
 * Whether the library rejected a file because it is encrypted. The error has no code, so the message is tested.
 */
const isEncryption = (error: unknown): boolean =>
  error instanceof Error && /password|security/i.test(error.message);

/** Opens a PDF for reading while `work` runs. @throws Error for damaged and encrypted files. */
export async function openPdfium<T>(
  file: string,
  work: (document: PDFiumDocument) => Promise<T>,
): Promise<T> {
  const bytes = await readWhole(file);
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes).catch((error: unknown) => {
    throw isEncryption(error) ? encrypted() : error;
  });
  const result = await work(document);
  // If an error is thrown, these calls are skipped; the memory is then released together with the WebAssembly module.
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
