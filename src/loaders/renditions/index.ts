import { NotFound } from '../../errors.ts';
import type { BlobWithDocument } from '../blobs/blob-with-document.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { containerRendition } from './contents-archive.ts';
import { mainBlobRendition } from './main-blob.ts';
import { imageToPdfRendition, pdfRendition } from './pdf.ts';
import { pictureViewRenditions } from './picture-views.ts';
import type { Rendition } from './rendition.ts';
import { thumbnailRendition } from './thumbnail.ts';
import { transcodedVideoRenditions } from './transcoded-videos.ts';
import { xmlExportRendition } from './xml-export.ts';
import { zipExportRendition, zipTreeExportRendition } from './zip-exports.ts';

/** All renditions that the server creates, in the order in which lists show them. */
const renditions: readonly Rendition[] = [
  thumbnailRendition,
  pdfRendition,
  imageToPdfRendition,
  ...pictureViewRenditions,
  xmlExportRendition,
  zipExportRendition,
  zipTreeExportRendition,
  mainBlobRendition,
  containerRendition,
];

/**
 * The renditions that a document can have. A stored video is omitted if it has the same name as one of the server's
 * renditions.
 */
const candidates = (context: Context, document: DocumentRow): readonly Rendition[] => {
  const names = new Set(renditions.map(({ name }) => name));
  const stored = transcodedVideoRenditions(context, document);
  return [...renditions, ...stored.filter(({ name }) => !names.has(name))];
};

/** The renditions of a document that lists show. */
export const renditionsOf = (context: Context, document: DocumentRow): readonly Rendition[] =>
  candidates(context, document).filter(
    ({ isVisible, isOf, isReady }) =>
      isVisible && isOf(context, document) && (isReady?.(context, document) ?? true),
  );

/**
 * Creates a rendition of a document by name.
 * @throws NotFound if the document has no such rendition
 */
export async function makeRendition(
  context: Context,
  document: DocumentRow,
  name: string,
): Promise<BlobWithDocument> {
  const rendition = candidates(context, document).find(
    (each) => each.name === name && each.isOf(context, document),
  );
  if (!rendition)
    throw new NotFound(`The document at ${document.path} has no rendition ${name.slice(0, 80)}.`);
  return rendition.make(context, document);
}
