import { Invalid } from '../../../errors.ts';
import { ResolvedBlob } from '../../../model/values/stored.ts';
import { updateDocument } from '../../../store/documents/update-document.ts';
import { blobParams, blobSlot } from '../../blobs/slot.ts';
import { newLetter } from '../../call-example.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { reference } from '../../params/kinds.ts';

export const blobAttachOnDocument = operation({
  id: 'Blob.AttachOnDocument',
  aliases: ['Blob.Attach'],
  label: 'Attach File',
  category: 'Files',
  description:
    'Stores the input blob in a property of a document, or appends the blobs to a list, and returns them.',
  example: { before: [newLetter], files: { 'notes.txt': 'Some notes.' }, params: { document: '{letter}' } },
  kind: 'mutation',
  takes: ['bloblist'],
  isOneForOne: true,
  gives: 'bloblist',
  params: { document: reference.required('The document to which the files are attached.'), ...blobParams },
  documentParam: 'document',
  run: async (context, blobs, { document, xpath }) => {
    const place = blobSlot(context.services.model, xpath);
    if (place.kind === 'one' && blobs.length > 1)
      throw new Invalid(`${xpath} can contain only one file; got ${blobs.length}.`);
    const resolved = blobs.map((blob) => new ResolvedBlob(blob));
    const { field } = place;
    const items = field === undefined ? resolved : resolved.map((blob) => ({ [field]: blob }));
    await updateDocument(context, referenceTo(document), {
      properties: { [xpath]: place.kind === 'list' ? items : resolved[0] },
      ...(place.kind === 'list' && { listChanges: { [xpath]: 'append' as const } }),
    });
    return blobs;
  },
});
