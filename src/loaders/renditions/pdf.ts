import { converterFor } from '../../converters/index.ts';
import { type BlobShape, blobAt } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { type ConvertedInto, convertBlob } from './convert.ts';
import type { Rendition } from './rendition.ts';

const into: ConvertedInto = { type: 'application/pdf' };

const isPicture = ({ mimeType }: BlobShape): boolean => mimeType.startsWith('image/');

const hasPdf = ({ mimeType }: BlobShape): boolean =>
  mimeType === into.type || converterFor('pdf', mimeType) !== undefined;

const mainOf = ({ model }: Context, document: DocumentRow) => blobAt(model, document, '');

const rendition = (name: string, isFor: (main: BlobShape) => boolean): Rendition => ({
  name,
  kind: null,
  icon: 'pdf',
  isVisible: true,
  isOf: (context, document) => {
    const main = mainOf(context, document);
    return main !== undefined && hasPdf(main) && isFor(main);
  },
  make: (context, document) => convertBlob(context, mainOf(context, document), into),
});

/** The main file as a PDF: in lists the reference implementation tells pictures from others. */
export const pdfRendition = rendition('pdf', (main) => !isPicture(main));
export const imageToPdfRendition = rendition('imageToPDF', isPicture);
