import { z } from 'zod';
import { entity, maybe, reader } from '../body.ts';

/** A document by its id: the id itself, `{id}` as answers spell it, or the entity of the document. */
const documentId = z.union(
  [
    z.string(),
    z.object({ uid: z.string() }).transform(({ uid }) => uid),
    z.object({ id: z.string() }).transform(({ id }) => id),
  ],
  'names no document',
);

const variables = z.record(z.string(), z.unknown(), 'is no object').nullish();

const model = z.string({
  error: ({ input }) => (input === undefined || input === null ? 'is missing' : 'is no string'),
});

/** §4.7: what a workflow is started from; all other fields of the entity are ignored. */
export const newWorkflow = reader(
  z
    .object(
      {
        'entity-type': entity('workflow'),
        workflowModelName: model,
        attachedDocumentIds: z.array(documentId, 'is no list').nullish(),
        variables,
      },
      'the body is no JSON object',
    )
    .meta({ title: 'NewWorkflow' }),
  ({ workflowModelName, attachedDocumentIds, variables: given }) => ({
    ...{ model: workflowModelName, documents: attachedDocumentIds ?? [], variables: given ?? {} },
  }),
);

/** §4.7: what a task is ended with; all other fields of the entity are ignored. */
export const taskAnswer = reader(
  z
    .object(
      { 'entity-type': entity('task'), id: maybe, comment: maybe, variables },
      'the body is no JSON object',
    )
    .meta({ title: 'TaskAnswer' }),
  ({ id, comment, variables: given }) => ({ id, comment, variables: given ?? {} }),
);
