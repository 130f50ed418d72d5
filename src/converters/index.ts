import type { Converter, Purpose } from './converter.ts';
import { imageToPdf } from './image-pdf.ts';
import { pdfExtract } from './pdf/pdf-extract.ts';
import { pdfHtml } from './pdf/pdf-html.ts';
import { pdfInfo } from './pdf/pdf-info.ts';
import { pdfJoin } from './pdf/pdf-join.ts';
import { pdfPictures } from './pdf/pdf-picture.ts';
import { pdfText } from './pdf/pdf-text.ts';
import { pdfThumbnail } from './pdf/pdf-thumbnail.ts';
import { pictureFiles } from './picture-files.ts';
import { resizedPicture } from './picture-resize.ts';
import { pictureViewConverters } from './picture-views.ts';
import { mediaInfoConverter } from './programs/media-info.ts';
import { ocrText } from './programs/ocr-text.ts';
import { officeHtml, officePdf } from './programs/office.ts';
import { noTools, type Program, type Tools } from './programs/programs.ts';
import { videoPictures } from './programs/video-pictures.ts';
import { htmlPages } from './texts/html-pages.ts';
import { htmlTexts } from './texts/html-text.ts';
import { mailFileText } from './texts/mail-text.ts';
import { officeText } from './texts/office-text.ts';
import { rtfText } from './texts/rtf-text.ts';
import { textPdfs } from './texts/text-pdf.ts';
import { thumbnailConverter } from './thumbnail.ts';

/** All converters. Each kind has its own file. The order decides between converters for the same purpose. */
export const converters: readonly Converter[] = [
  thumbnailConverter,
  pdfThumbnail,
  ...videoPictures,
  imageToPdf,
  officePdf,
  ...textPdfs,
  ...pictureViewConverters,
  resizedPicture,
  ...pictureFiles,
  ...pdfPictures,
  ...htmlTexts,
  ...ocrText, // must precede pdfText: it also recognizes the text of scanned pages
  pdfText,
  officeText,
  rtfText,
  mailFileText,
  ...htmlPages,
  ...officeHtml,
  pdfHtml,
  pdfInfo,
  mediaInfoConverter,
  pdfExtract,
  pdfJoin,
];

export const findConverter = (name: string): Converter | undefined =>
  converters.find((each) => each.name === name);

/** The programs that a converter requires but that are not installed. */
export const missingPrograms = ({ needs = [] }: Converter, { paths }: Tools): Program[] =>
  needs.filter((program) => paths[program] === undefined);

export const convertersFor = (makes: Purpose, tools: Tools): Converter[] =>
  converters.filter((each) => each.makes === makes && missingPrograms(each, tools).length === 0);

const takes = (makes: Purpose, mimeType: string) => (each: Converter) =>
  each.makes === makes && each.takes.includes(mimeType);

/** The converter of a media type for a purpose, among those whose programs are installed. */
export const converterFor = (
  makes: Purpose,
  mimeType: string,
  tools: Tools = noTools,
): Converter | undefined => convertersFor(makes, tools).find(({ takes: types }) => types.includes(mimeType));

/** The converters by which a file is converted: one, or two with a PDF as the intermediate result. */
export type ConversionPath = readonly [Converter] | readonly [toPdf: Converter, Converter];

/** The conversion path from a media type to a purpose; undefined if there is none. */
export function conversionPath(makes: Purpose, mimeType: string, tools: Tools): ConversionPath | undefined {
  const direct = converterFor(makes, mimeType, tools);
  if (direct) return [direct];
  const toPdf = converterFor('pdf', mimeType, tools);
  const next = toPdf?.isIntermediate ? converterFor(makes, 'application/pdf', tools) : undefined;
  return toPdf && next ? [toPdf, next] : undefined;
}

/**
 * The programs whose installation would make a conversion possible. Empty if it is possible already, and if no program
 * would help.
 */
export function programsMissingFor(makes: Purpose, mimeType: string, tools: Tools): Program[] {
  if (conversionPath(makes, mimeType, tools)) return [];
  const toPdf = converters.find((each) => takes('pdf', mimeType)(each) && each.isIntermediate);
  const found =
    converters.find(takes(makes, mimeType)) ??
    (toPdf && converters.some(takes(makes, 'application/pdf')) ? toPdf : undefined);
  return found ? missingPrograms(found, tools) : [];
}

/** The media types that can be converted for a purpose. */
export function convertibleTypes(makes: Purpose, tools: Tools): string[] {
  const all = new Set(
    [...convertersFor(makes, tools), ...convertersFor('pdf', tools)].flatMap(({ takes: types }) => types),
  );
  return [...all].filter((mimeType) => conversionPath(makes, mimeType, tools) !== undefined);
}
