import { updateDocument } from '../../../store/documents/update-document.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { integer } from '../../params/kinds.ts';
import { propertyParams } from '../../params/shared-params.ts';

export const documentRemoveItemFromListProperty = documentMutation({
  id: 'Document.RemoveItemFromListProperty',
  label: 'Remove Item From List Property',
  needs: 'WriteProperties',
  description:
    'Removes one item or all items from a list property of the input document, and returns the document.',
  example: {
    before: [
      newLetter,
      {
        call: 'Document.SetBlob',
        input: '{letter}',
        params: { xpath: 'files:files', file: { name: 'notes.txt', content: 'Some notes.' } },
      },
    ],
    input: '{letter}',
    params: { xpath: 'files:files', index: 0 },
  },
  params: {
    ...propertyParams,
    index: integer.optional('The index of the item, from 0; if absent, all items are removed.'),
  },
  run: async (context, document, { xpath, index }) =>
    updateDocument(context, document, {
      properties: { [xpath]: [] },
      listChanges: { [xpath]: index ?? 'replace' },
    }),
});
