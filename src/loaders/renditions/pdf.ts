import { conversionPath, programsMissingFor } from '../../converters/index.ts';
import { type BlobShape, blobAt } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { type ConversionTarget, convertBlob } from './convert.ts';
import type { Rendition } from './rendition.ts';

const into: ConversionTarget = { type: 'application/pdf' };

const isPicture = ({ mimeType }: BlobShape): boolean => mimeType.startsWith('image/');

const mainOf = ({ services: { model } }: Context, document: DocumentRow) => blobAt(model, document, '');

const isReady = (context: Context, document: DocumentRow): boolean => {
  const mimeType = mainOf(context, document)?.mimeType ?? '';
  return (
    mimeType === into.type ||
    conversionPath('pdf', mimeType, context.services.conversions.tools) !== undefined
  );
};

const rendition = (name: string, isFor: (main: BlobShape) => boolean): Rendition => ({
  name,
  kind: '',
  icon: 'pdf',
  isVisible: true,
  isOf: (context, document) => {
    const main = mainOf(context, document);
    if (!main || !isFor(main)) return false;
    const { tools } = context.services.conversions;
    return isReady(context, document) || programsMissingFor('pdf', main.mimeType, tools).length > 0;
  },
  isReady,
  make: (context, document) => convertBlob(context, mainOf(context, document), into),
});

/** The main file as a PDF. For pictures, the reference implementation uses a different rendition name. */
export const pdfRendition = rendition('pdf', (main) => !isPicture(main));
export const imageToPdfRendition = rendition('imageToPDF', isPicture);
