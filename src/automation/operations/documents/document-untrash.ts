import { untrashDocument } from '../../../store/documents/trash/untrash.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

export const documentUntrash = documentMutation({
  id: 'Document.Untrash',
  label: 'Untrash',
  description:
    'Restores the input document from the trash, with its descendants and ancestors, and returns it.',
  example: { before: [newLetter, { call: 'Document.Trash', input: '{letter}' }], input: '{letter}' },
  needs: 'Remove',
  locks: () => ({ withFolders: true }),
  run: (context, document) => untrashDocument(context, document),
});
