import { Invalid } from '../../../errors.ts';
import { asBlob, ResolvedBlob } from '../../../model/values/stored.ts';
import { valueAt } from '../../../model/values/value-location.ts';
import { updateDocument } from '../../../store/documents/update-document.ts';
import { lockDocumentUnchecked } from '../../../store/row-locks/lock-document.ts';
import { blobParams } from '../../blobs/slot.ts';
import { letterWithFile } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { longText } from '../../params/kinds.ts';

export const documentSetBlobName = documentMutation({
  id: 'Document.SetBlobName',
  label: 'Set File Name',
  needs: 'WriteProperties',
  category: 'Files',
  description: 'Renames a file of the input document, and returns the document.',
  example: {
    before: letterWithFile,
    input: '{letter}',
    params: { name: 'letter.txt' },
  },
  params: { name: longText.required('The new name of the file.'), ...blobParams },
  run: async (context, document, { name, xpath }) => {
    // The lock prevents other transactions from replacing the file before it is renamed.
    const { id, type, facets, properties } = await lockDocumentUnchecked(context, document, 'NO KEY UPDATE');
    const found = valueAt(context.services.model.schemasOf(type, facets), properties, xpath);
    const blob = found?.property.type === 'blob' ? asBlob(found.value) : undefined;
    const renamed = blob && { [xpath]: new ResolvedBlob({ ...blob, name }) };
    const row = await updateDocument(context, { id }, { properties: renamed });
    // This check comes last, so that a caller without Write permission cannot find out whether there is a blob.
    if (!renamed) throw new Invalid(`There is no file at ${xpath}.`);
    return row;
  },
});
