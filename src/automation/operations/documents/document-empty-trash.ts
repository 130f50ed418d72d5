import { Invalid } from '../../../errors.ts';
import { emptyTrash } from '../../../store/documents/trash/empty-trash.ts';
import { newLetter } from '../../call-example.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { reference } from '../../params/kinds.ts';

export const documentEmptyTrash = operation({
  id: 'Document.EmptyTrash',
  label: 'Empty Trash',
  description:
    'Permanently deletes those trashed children of the input folder that the caller can delete, and returns the folder.',
  example: {
    before: [newLetter, { call: 'Document.Trash', input: '{letter}' }],
    input: '/default-domain/workspaces',
  },
  kind: 'mutation',
  takes: ['document', 'void'],
  needs: 'RemoveChildren',
  isForEach: true,
  gives: 'document',
  params: { parent: reference.optional('The folder, instead of the input.') },
  locks: ({ parent }) => ({ additional: parent === undefined ? [] : [referenceTo(parent)] }),
  run: async (context, document, { parent }) => {
    const folder = parent === undefined ? document : referenceTo(parent);
    if (!folder) throw new Invalid('input must be a folder.');
    return emptyTrash(context, folder);
  },
});
