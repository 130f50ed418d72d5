import { trashDocument } from '../../../store/documents/trash/trash.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

export const documentTrash = documentMutation({
  id: 'Document.Trash',
  label: 'Trash',
  description:
    'Moves the input document and its descendants to the trash, and returns it; a proxy is deleted permanently.',
  example: { before: [newLetter], input: '{letter}' },
  needs: 'Remove',
  locks: () => ({ withFolders: true }),
  run: (context, document) => trashDocument(context, document),
});
