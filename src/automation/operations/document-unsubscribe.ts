import { unsubscribe } from '../../store/subscriptions.ts';
import { texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** No more word of what happens to the input. */
export const documentUnsubscribe = operation({
  id: 'Document.Unsubscribe',
  label: 'Unsubscribe document',
  category: 'Document',
  description:
    'Ends subscriptions of the caller to notifications about the input documents, and answers them.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: { notifications: optional(texts, 'Which: all when none is named.') },
  run: async (context, references, { notifications: names }) => ({
    entries: await unsubscribe(context, { references, names }),
  }),
});
