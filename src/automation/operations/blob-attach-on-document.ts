import { Invalid } from '../../errors.ts';
import { KeptBlob } from '../../model/stored.ts';
import { updateDocument } from '../../store/update-document.ts';
import { blobParams, blobPlace } from '../blob-place.ts';
import { referenceTo } from '../document-at.ts';
import { reference } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** The input as files of a document. */
export const blobAttachOnDocument = operation({
  id: 'Blob.AttachOnDocument',
  aliases: ['Blob.Attach'],
  label: 'Attach File',
  category: 'Files',
  description:
    'Makes the input blob a file of a document, or puts the blobs into a list of files, and answers them.',
  kind: 'mutation',
  takes: ['bloblist'],
  isOneForOne: true,
  gives: 'bloblist',
  params: { document: required(reference, 'The document whose file it is to be.'), ...blobParams },
  place: 'document',
  run: async (context, blobs, { document, xpath }) => {
    const place = blobPlace(context.model, xpath);
    if (place.kind === 'one' && blobs.length > 1)
      throw new Invalid(`${xpath} holds one blob, not ${blobs.length}`);
    const kept = blobs.map((blob) => new KeptBlob(blob));
    const { field } = place;
    const items = field === undefined ? kept : kept.map((blob) => ({ [field]: blob }));
    await updateDocument(context, referenceTo(document), {
      properties: { [xpath]: place.kind === 'list' ? items : kept[0] },
      ...(place.kind === 'list' && { lists: { [xpath]: 'append' as const } }),
    });
    return blobs;
  },
});
