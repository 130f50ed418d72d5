import { Invalid } from '../../errors.ts';
import { asBlob, KeptBlob } from '../../model/stored.ts';
import { valueAt } from '../../model/value-at.ts';
import { holdDocument } from '../../store/lock-document.ts';
import { updateDocument } from '../../store/update-document.ts';
import { blobParams } from '../blob-place.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** Another name for a file of the input. */
export const documentSetBlobName = operation({
  id: 'Document.SetBlobName',
  label: 'Set File Name',
  category: 'Files',
  description: 'Renames a file of the input document, and answers the document.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: { name: required(text, 'The new name of the file.'), ...blobParams },
  run: async (context, document, { name, xpath }) => {
    // Held, so that it is still the same file when it gets its name.
    const { id, type, facets, properties } = await holdDocument(context, document, 'NO KEY UPDATE');
    const found = valueAt(context.model.schemasOf(type, facets), properties, xpath);
    const blob = found?.property.type === 'blob' ? asBlob(found.value) : undefined;
    const renamed = blob && { [xpath]: new KeptBlob({ ...blob, name }) };
    const row = await updateDocument(context, { id }, { properties: renamed });
    if (!renamed) throw new Invalid(`${xpath}: there is no blob`); // told to whoever may write alone
    return row;
  },
});
