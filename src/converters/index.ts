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

/** Every converter, a file each. */
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
  ...ocrText, // before the text of PDFs, which it is with that of scanned pages
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

/** The programs that a converter needs and that are not there. */
export const missingPrograms = ({ needs = [] }: Converter, { paths }: Tools): Program[] =>
  needs.filter((program) => paths[program] === undefined);

export const convertersFor = (makes: Purpose, tools: Tools): Converter[] =>
  converters.filter((each) => each.makes === makes && missingPrograms(each, tools).length === 0);

const takes = (makes: Purpose, mimeType: string) => (each: Converter) =>
  each.makes === makes && each.takes.includes(mimeType);

/** The converter for files of a media type, among those whose programs are there. */
export const converterFor = (
  makes: Purpose,
  mimeType: string,
  tools: Tools = noTools,
): Converter | undefined => convertersFor(makes, tools).find(({ takes: types }) => types.includes(mimeType));

/** How a file becomes one of another kind: by a converter, or by way of a PDF that another one makes. */
export type Way = readonly [Converter] | readonly [toPdf: Converter, Converter];

export function wayTo(makes: Purpose, mimeType: string, tools: Tools): Way | undefined {
  const direct = converterFor(makes, mimeType, tools);
  if (direct) return [direct];
  const toPdf = converterFor('pdf', mimeType, tools);
  const next = toPdf?.leadsOn ? converterFor(makes, 'application/pdf', tools) : undefined;
  return toPdf && next ? [toPdf, next] : undefined;
}

/** The programs with which there would be a way; none when there is one, and where no program helps. */
export function programsMissingFor(makes: Purpose, mimeType: string, tools: Tools): Program[] {
  if (wayTo(makes, mimeType, tools)) return [];
  const toPdf = converters.find((each) => takes('pdf', mimeType)(each) && each.leadsOn);
  const found =
    converters.find(takes(makes, mimeType)) ??
    (toPdf && converters.some(takes(makes, 'application/pdf')) ? toPdf : undefined);
  return found ? missingPrograms(found, tools) : [];
}

export function typesLeadingTo(makes: Purpose, tools: Tools): string[] {
  const all = new Set(
    [...convertersFor(makes, tools), ...convertersFor('pdf', tools)].flatMap(({ takes: types }) => types),
  );
  return [...all].filter((mimeType) => wayTo(makes, mimeType, tools) !== undefined);
}
