import { subscribe } from '../../../store/documents/subscriptions.ts';
import { documentsMutation } from '../../operation.ts';
import { fewTexts } from '../../params/kinds.ts';

export const documentSubscribe = documentsMutation({
  id: 'Document.Subscribe',
  label: 'Subscribe document',
  description: 'Subscribes the caller to notifications about the input documents, and returns the documents.',
  example: { input: '/default-domain/workspaces/report' },
  needs: 'Read',
  params: { notifications: fewTexts.optional('The names of notifications; defaults to all.') },
  run: async (context, references, { notifications: names }) => ({
    entries: await subscribe(context, { references, names }),
  }),
});
