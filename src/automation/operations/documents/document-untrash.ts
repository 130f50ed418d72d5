import { untrashDocument } from '../../../store/documents/trash/untrash.ts';
import { documentMutation } from '../../operation.ts';

export const documentUntrash = documentMutation({
  id: 'Document.Untrash',
  label: 'Untrash',
  description:
    'Restores the input document from the trash, with its descendants and ancestors, and returns it.',
  locks: () => ({ withFolders: true }),
  run: untrashDocument,
});
