import { untrashDocument } from '../../store/untrash.ts';
import { operation } from '../operation.ts';

/** The input out of the trash (§3). */
export const documentUntrash = operation({
  id: 'Document.Untrash',
  label: 'Untrash',
  category: 'Document',
  description: 'Takes the input document out of the trash, with all below and above it, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  holds: () => ({ withFolders: true }),
  run: async (context, document) => untrashDocument(context, document),
});
