import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';

/**
 * The functions of PDFium that read annotations (fpdf_annot.h). The package contains them, but its types do not. Strings
 * are written to a buffer in UTF-16; the functions return the number of bytes that they need.
 */
interface Pdfium {
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFAnnot_GetFlags(annotation: number): number;
  _FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, length: number): number;
  _FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
  _FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, length: number): number;
  _FPDFAnnot_GetOptionCount(form: number, annotation: number): number;
  _FPDFAnnot_IsOptionSelected(form: number, annotation: number, index: number): boolean;
  _FPDFAnnot_GetOptionLabel(
    form: number,
    annotation: number,
    index: number,
    buffer: number,
    length: number,
  ): number;
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void };
  readonly HEAPU8: Uint8Array;
}

/** The private fields of a page. The tests of the text of PDF forms fail if they change. */
interface PageFields {
  readonly module: Pdfium;
  readonly pageIdx: number;
  readonly document: PDFiumDocument;
}

const subtypes = { link: 2, popup: 16, widget: 20 } as const;

/** The types of form fields with a visible value. Other types are buttons and signatures. */
const fieldTypes = { comboBox: 4, listBox: 5, textField: 6 } as const;

/** The flags of annotations that viewers do not show: Invisible, Hidden and NoView. */
const unseenFlags = 0b100011;

/** The maximum number of annotations on a page, and of options of a form field, that are read. */
const max = { annotations: 1_000, options: 1_000 };

const maxStringBytes = 1_000_000;

/** Reads a string from a function of PDFium. */
function stringFrom(
  { wasmExports, HEAPU8 }: Pdfium,
  read: (buffer: number, length: number) => number,
): string {
  const length = read(0, 0);
  if (length <= 2 || length > maxStringBytes) return '';
  const buffer = wasmExports.malloc(length);
  read(buffer, length);
  const bytes = HEAPU8.slice(buffer, buffer + length - 2); // without the terminating zero
  wasmExports.free(buffer);
  return new TextDecoder('utf-16le').decode(bytes);
}

/** Returns the contents of an annotation, such as the text of a comment. */
function contentsOf(pdfium: Pdfium, annotation: number): string {
  const key = Buffer.from('Contents\0');
  const pointer = pdfium.wasmExports.malloc(key.length);
  pdfium.HEAPU8.set(key, pointer);
  const contents = stringFrom(pdfium, (buffer, length) =>
    pdfium._FPDFAnnot_GetStringValue(annotation, pointer, buffer, length),
  );
  pdfium.wasmExports.free(pointer);
  return contents;
}

/** Yields the value of a form field as it is displayed. */
function* valuesOf(pdfium: Pdfium, form: number, annotation: number): Generator<string> {
  const type = pdfium._FPDFAnnot_GetFormFieldType(form, annotation);
  if (type < fieldTypes.comboBox || type > fieldTypes.textField) return;
  yield stringFrom(pdfium, (buffer, length) =>
    pdfium._FPDFAnnot_GetFormFieldValue(form, annotation, buffer, length),
  );
  if (type === fieldTypes.textField) return;
  const count = Math.min(pdfium._FPDFAnnot_GetOptionCount(form, annotation), max.options);
  for (let index = 0; index < count; index += 1)
    if (pdfium._FPDFAnnot_IsOptionSelected(form, annotation, index))
      yield stringFrom(pdfium, (buffer, length) =>
        pdfium._FPDFAnnot_GetOptionLabel(form, annotation, index, buffer, length),
      );
}

/** Yields the texts of the annotations on a page: comments and the values of form fields. */
function* annotationsOf(page: PDFiumPage): Generator<string> {
  const { module: pdfium, pageIdx, document } = page as unknown as PageFields;
  const count = Math.min(pdfium._FPDFPage_GetAnnotCount(pageIdx), max.annotations);
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium._FPDFPage_GetAnnot(pageIdx, index);
    if (annotation === 0) continue;
    const subtype = pdfium._FPDFAnnot_GetSubtype(annotation);
    const isSeen = (pdfium._FPDFAnnot_GetFlags(annotation) & unseenFlags) === 0;
    if (isSeen && subtype === subtypes.widget)
      yield* valuesOf(pdfium, document.initializeFormFields(), annotation);
    else if (isSeen && subtype !== subtypes.link && subtype !== subtypes.popup)
      yield contentsOf(pdfium, annotation);
    pdfium._FPDFPage_CloseAnnot(annotation);
  }
}

/** Returns the text on a page, followed by that of its annotations. */
export const textOfPage = (page: PDFiumPage): string =>
  [page.getText(), ...new Set(annotationsOf(page))].filter((text) => text !== '').join('\n');
