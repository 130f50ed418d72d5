import { removeLock } from '../../store/locks.ts';
import { operation } from '../operation.ts';

/** Others write the input again. */
export const documentUnlock = operation({
  id: 'Document.Unlock',
  label: 'Unlock',
  category: 'Document',
  description:
    'Takes away the lock of the input document, and answers it; a lock of somebody else needs Unlock.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  run: async (context, document) => removeLock(context, document),
});
