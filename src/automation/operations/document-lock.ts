import { setLock } from '../../store/locks.ts';
import { operation } from '../operation.ts';

/** Nobody else writes the input any more. */
export const documentLock = operation({
  id: 'Document.Lock',
  label: 'Lock',
  category: 'Document',
  description:
    'Locks the input document for the caller, and answers it: nobody else but administrators writes it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  run: async (context, document) => setLock(context, document),
});
