import { trashDocument } from '../../store/trash.ts';
import { operation } from '../operation.ts';

/** The input into the trash (§3). */
export const documentTrash = operation({
  id: 'Document.Trash',
  label: 'Trash',
  category: 'Document',
  description:
    'Puts the input document with all below it into the trash, and answers it; a proxy is deleted for good.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  holds: () => ({ withFolders: true }),
  run: async (context, document) => trashDocument(context, document),
});
