import type { Converter, Purpose } from './converter.ts';
import { htmlText } from './html-text.ts';
import { imageToPdf } from './image-pdf.ts';
import { mailFileText } from './mail-text.ts';
import { officeText } from './office-text.ts';
import { pdfText } from './pdf-text.ts';
import { pdfThumbnail } from './pdf-thumbnail.ts';
import { pictureViewConverters } from './picture-views.ts';
import { thumbnailConverter } from './thumbnail.ts';

/** Every converter, a file each. */
const converters: readonly Converter[] = [
  thumbnailConverter,
  pdfThumbnail,
  imageToPdf,
  ...pictureViewConverters,
  htmlText,
  pdfText,
  officeText,
  mailFileText,
];

export const converterNamed = (name: string): Converter => {
  const converter = converters.find((each) => each.name === name);
  if (!converter) throw new Error(`there is no converter ${name}`);
  return converter;
};

/** The converter for files of a media type. */
export const converterFor = (makes: Purpose, mimeType: string): Converter | undefined =>
  converters.find((each) => each.makes === makes && each.takes.includes(mimeType));

/** The converters for one purpose. */
export const convertersFor = (makes: Purpose): Converter[] =>
  converters.filter((each) => each.makes === makes);
