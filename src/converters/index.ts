import { contributedConverters } from './contributed.ts';
import type { Converter, Purpose } from './converter.ts';
import { embeddedPictures } from './embedded-picture.ts';
import { imageToPdf } from './image-pdf.ts';
import { contentPages } from './pages/index.ts';
import { wordPage } from './pages/word-page.ts';
import { pdfExtract } from './pdf/pdf-extract.ts';
import { pdfHtml } from './pdf/pdf-html.ts';
import { pdfInfo } from './pdf/pdf-info.ts';
import { pdfJoin } from './pdf/pdf-join.ts';
import { pdfLayout } from './pdf/pdf-layout.ts';
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
import { archiveText } from './texts/archive-text.ts';
import { epubText } from './texts/epub-text.ts';
import { htmlPages } from './texts/html-pages.ts';
import { htmlTexts } from './texts/html-text.ts';
import { mailFileText } from './texts/mail-text.ts';
import { mailboxText } from './texts/mailbox-text.ts';
import { officeText } from './texts/office-text.ts';
import { outlookText } from './texts/outlook-text.ts';
import { rtfText } from './texts/rtf-text.ts';
import { sheetText } from './texts/sheet-text.ts';
import { slidesText } from './texts/slides-text.ts';
import { tarTexts } from './texts/tar-text.ts';
import { textPdfs } from './texts/text-pdf.ts';
import { wordText } from './texts/word-text.ts';
import { thumbnailConverter } from './thumbnail.ts';

/** All converters. If several have the same purpose and accept the same media type, the first one is used. */
export const converters: readonly Converter[] = [
  ...contributedConverters(),
  thumbnailConverter,
  pdfThumbnail,
  ...videoPictures,
  ...embeddedPictures,
  imageToPdf,
  officePdf,
  ...textPdfs,
  ...pictureViewConverters,
  resizedPicture,
  ...pictureFiles,
  ...pdfPictures,
  ...htmlTexts,
  ...ocrText, // must come before pdfText, because it also recognizes the text of scanned pages
  pdfText,
  officeText,
  wordText,
  sheetText,
  slidesText,
  epubText,
  rtfText,
  mailFileText,
  mailboxText,
  outlookText,
  archiveText,
  ...tarTexts,
  ...htmlPages,
  ...contentPages,
  ...officeHtml,
  wordPage,
  pdfHtml,
  pdfInfo,
  pdfLayout,
  mediaInfoConverter,
  pdfExtract,
  pdfJoin,
];

export const findConverter = (name: string): Converter | undefined =>
  converters.find((each) => each.name === name);

/** Returns the programs that a converter requires but that are not installed. */
export const missingPrograms = ({ needs = [] }: Converter, { paths }: Tools): Program[] =>
  needs.filter((program) => paths[program] === undefined);

export const convertersFor = (makes: Purpose, tools: Tools): Converter[] =>
  converters.filter((each) => each.makes === makes && missingPrograms(each, tools).length === 0);

const takes = (makes: Purpose, mimeType: string) => (each: Converter) =>
  each.makes === makes && each.takes.includes(mimeType);

/**
 * Returns the converter for a media type and purpose. Converters whose required programs are missing are not
 * considered.
 */
export const converterFor = (
  makes: Purpose,
  mimeType: string,
  tools: Tools = noTools,
): Converter | undefined => convertersFor(makes, tools).find(({ takes: types }) => types.includes(mimeType));

/**
 * The converters that a conversion uses: either a single one, or two with a PDF as the intermediate result.
 */
export type ConversionPath = readonly [Converter] | readonly [toPdf: Converter, Converter];

/** Returns the possible conversion paths for a media type and purpose, in order of preference. */
export function conversionPaths(makes: Purpose, mimeType: string, tools: Tools): ConversionPath[] {
  const direct = convertersFor(makes, tools).filter((each) => each.takes.includes(mimeType));
  const fallbacks = direct.filter(({ isFallback }) => isFallback).map((each) => [each] as const);
  const [preferred] = direct.filter(({ isFallback }) => !isFallback);
  if (preferred) return [[preferred], ...fallbacks];
  const toPdf = converterFor('pdf', mimeType, tools);
  const next = toPdf?.isIntermediate ? converterFor(makes, 'application/pdf', tools) : undefined;
  return [...(toPdf && next ? [[toPdf, next] as const] : []), ...fallbacks];
}

/** Returns the preferred conversion path for a media type and purpose; undefined if there is none. */
export const conversionPath = (makes: Purpose, mimeType: string, tools: Tools): ConversionPath | undefined =>
  conversionPaths(makes, mimeType, tools)[0];

/**
 * Returns the programs that would have to be installed to make a conversion possible. The list is empty if the
 * conversion is already possible or if no program would make it possible.
 */
export function programsMissingFor(makes: Purpose, mimeType: string, tools: Tools): Program[] {
  if (conversionPath(makes, mimeType, tools)) return [];
  const toPdf = converters.find((each) => takes('pdf', mimeType)(each) && each.isIntermediate);
  const found =
    converters.find(takes(makes, mimeType)) ??
    (toPdf && converters.some(takes(makes, 'application/pdf')) ? toPdf : undefined);
  return found ? missingPrograms(found, tools) : [];
}

/** Returns the media types of files that can be converted for a purpose. */
export function convertibleTypes(makes: Purpose, tools: Tools): string[] {
  const all = new Set(
    [...convertersFor(makes, tools), ...convertersFor('pdf', tools)].flatMap(({ takes: types }) => types),
  );
  return [...all].filter((mimeType) => conversionPath(makes, mimeType, tools) !== undefined);
}
