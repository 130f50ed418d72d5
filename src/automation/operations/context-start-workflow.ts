import { Invalid } from '../../errors.ts';
import { toRead } from '../../loaders/access.ts';
import { lockDocuments } from '../../store/lock-documents.ts';
import { startWorkflow } from '../../store/workflows/start-workflow.ts';
import { flag, properties, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally, required } from '../params.ts';

/** A workflow on the input (§4.7). */
export const contextStartWorkflow = operation({
  id: 'Context.StartWorkflow',
  label: 'Start workflow',
  category: 'Workflow Context',
  description: 'Starts a workflow on the input document, or one on all input documents, and answers them.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: {
    id: required(text, 'The name of the workflow model.'),
    start: optionally(flag, true, 'Taken when it is true: there is no workflow that is not started.'),
    variables: optional(properties, 'Variables by name.'),
  },
  run: async (context, documents, { id: model, start, variables }) => {
    if (!start) throw new Invalid('start: there is no workflow that is not started');
    await startWorkflow(context, { model, documents, ...(variables && { variables }) });
    const claims = documents.map((reference) => ({ reference, needs: toRead }));
    return { entries: await lockDocuments(context, claims, 'KEY SHARE') };
  },
});
