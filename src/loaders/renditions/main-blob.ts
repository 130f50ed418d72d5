import { NotFound } from '../../errors.ts';
import { blobAt } from '../../model/values/document-blob.ts';
import type { Rendition } from './rendition.ts';

export const mainBlobRendition: Rendition = {
  name: 'mainBlob',
  kind: '',
  icon: 'file',
  isVisible: false,
  isOf: ({ services: { model } }, document) => blobAt(model, document, '') !== undefined,
  make: async ({ services: { model } }, document) => {
    const blob = blobAt(model, document, '');
    if (!blob) throw new NotFound(`The document at ${document.path} has no main blob.`);
    return blob;
  },
};
