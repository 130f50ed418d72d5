import { subscribe } from '../../store/subscriptions.ts';
import { texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** Word of what happens to the input. */
export const documentSubscribe = operation({
  id: 'Document.Subscribe',
  label: 'Subscribe document',
  category: 'Document',
  description: 'Subscribes the caller to notifications about the input documents, and answers them.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: { notifications: optional(texts, 'Which: all when none is named.') },
  run: async (context, references, { notifications: names }) => ({
    entries: await subscribe(context, { references, names }),
  }),
});
