import { unsubscribe } from '../../../store/documents/subscriptions.ts';
import { documentsMutation } from '../../operation.ts';
import { fewTexts } from '../../params/kinds.ts';

export const documentUnsubscribe = documentsMutation({
  id: 'Document.Unsubscribe',
  label: 'Unsubscribe document',
  description:
    "Ends the caller's subscriptions to notifications about the input documents, and returns the documents.",
  example: { input: '/default-domain/workspaces/report' },
  needs: 'Read',
  params: { notifications: fewTexts.optional('The names of notifications; defaults to all.') },
  run: async (context, references, { notifications: names }) => ({
    entries: await unsubscribe(context, { references, names }),
  }),
});
