import { facetsOf } from '../../model/facets-of.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { zipOf } from './archive.ts';
import type { Rendition } from './rendition.ts';

export const isFolder = ({ services: { model } }: Context, document: DocumentRow): boolean =>
  facetsOf(model, document).includes('Folderish');

/** An archive that contains the document as XML, along with its files. */
export const zipExportRendition: Rendition = {
  name: 'zipExport',
  kind: '',
  icon: 'file',
  isVisible: true,
  isOf: (context, document) => !isFolder(context, document),
  make: (context, document) => zipOf(context, document, 'document'),
};

/** An archive of a folder and everything below it that the caller can read, with one folder for each document. */
export const zipTreeExportRendition: Rendition = {
  name: 'zipTreeExport',
  kind: '',
  icon: 'folder',
  isVisible: true,
  isOf: isFolder,
  make: (context, document) => zipOf(context, document, 'tree'),
};
