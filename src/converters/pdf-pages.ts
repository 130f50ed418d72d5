import type { PDFiumPage } from '@hyzyla/pdfium';
import { readWhole } from './whole-file.ts';

/** Calls back for each page of a PDF until it returns true. @throws for damaged and encrypted files. */
export async function eachPage(
  file: string,
  visit: (page: PDFiumPage) => boolean | Promise<boolean>,
): Promise<void> {
  const bytes = await readWhole(file);
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  for (const page of document.pages()) if (await visit(page)) break;
  // After an error its memory is let go of with the module.
  document.destroy();
  library.destroy();
}
