import { Invalid } from '../../../errors.ts';
import { readPermissionFor } from '../../../loaders/acls/access.ts';
import { lockDocuments } from '../../../store/row-locks/lock-documents.ts';
import { startWorkflow } from '../../../store/workflows/start-workflow.ts';
import { newLetter } from '../../call-example.ts';
import { setVariable } from '../../chains/variables.ts';
import { documentsMutation } from '../../operation.ts';
import { flag, propertyMap, text } from '../../params/kinds.ts';

export const contextStartWorkflow = documentsMutation({
  id: 'Context.StartWorkflow',
  label: 'Start workflow',
  category: 'Workflow Context',
  description:
    'Starts one workflow on all input documents, and returns the documents. The variable `workflowInstanceId` is set to the id of the workflow.',
  example: { before: [newLetter], input: '{letter}', params: { id: 'SerialDocumentReview' } },
  needs: 'Read',
  params: {
    id: text.required('The name of the workflow model.'),
    start: flag.withDefault(true, 'Whether the workflow is started; only true is supported.'),
    variables: propertyMap.optional('Variables by name.'),
  },
  run: async (context, documents, { id: model, start, variables }, call) => {
    if (!start) throw new Invalid('start must be true, because workflows start immediately.');
    const { id } = await startWorkflow(context, { model, documents, ...(variables && { variables }) });
    setVariable(call, 'workflowInstanceId', id);
    const claims = documents.map((reference) => ({ reference, needs: readPermissionFor }));
    return { entries: await lockDocuments(context, claims, 'KEY SHARE') };
  },
});
