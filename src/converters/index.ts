import type { Converter, Purpose } from './converter.ts';
import { imageToPdf } from './image-pdf.ts';
import { pdfExtract } from './pdf/pdf-extract.ts';
import { pdfInfo } from './pdf/pdf-info.ts';
import { pdfJoin } from './pdf/pdf-join.ts';
import { pdfPictures } from './pdf/pdf-picture.ts';
import { pdfText } from './pdf/pdf-text.ts';
import { pdfThumbnail } from './pdf/pdf-thumbnail.ts';
import { resizedPicture } from './picture-resize.ts';
import { pictureViewConverters } from './picture-views.ts';
import { htmlText } from './texts/html-text.ts';
import { mailFileText } from './texts/mail-text.ts';
import { officeText } from './texts/office-text.ts';
import { thumbnailConverter } from './thumbnail.ts';

/** Every converter, a file each. */
const converters: readonly Converter[] = [
  thumbnailConverter,
  pdfThumbnail,
  imageToPdf,
  ...pictureViewConverters,
  resizedPicture,
  ...pdfPictures,
  htmlText,
  pdfText,
  officeText,
  mailFileText,
  pdfInfo,
  pdfExtract,
  pdfJoin,
];

export const findConverter = (name: string): Converter | undefined =>
  converters.find((each) => each.name === name);

/** The converter for files of a media type. */
export const converterFor = (makes: Purpose, mimeType: string): Converter | undefined =>
  converters.find((each) => each.makes === makes && each.takes.includes(mimeType));

/** The converters for one purpose. */
export const convertersFor = (makes: Purpose): Converter[] =>
  converters.filter((each) => each.makes === makes);
