import { z } from 'zod';
import { anyObject } from '../../model/values/any-object.ts';
import { splitSentList } from '../../model/values/list-text.ts';

import { bodyReader, entityTypeShape, givenText, objectShape, optionalText } from '../request/body.ts';

/** A document: its id, `{id}` as in answers, or its entity. */
const documentId = z.union(
  [
    z.string(),
    z.object({ uid: z.string() }).transform(({ uid }) => uid),
    z.object({ id: z.string() }).transform(({ id }) => id),
  ],
  'names no document',
);

const documentIds = z.union(
  [z.array(documentId), z.string().transform((given) => splitSentList(given))],
  'is no list of documents',
);

const variables = anyObject('is no object').nullish();

export const newWorkflow = bodyReader(
  objectShape('NewWorkflow', {
    'entity-type': entityTypeShape('workflow'),
    workflowModelName: givenText,
    attachedDocumentIds: documentIds.nullish(),
    variables,
  }),
  ({ workflowModelName, attachedDocumentIds, variables: given }) => ({
    model: workflowModelName,
    documents: attachedDocumentIds ?? [],
    variables: given ?? {},
  }),
);

export const taskAnswer = bodyReader(
  objectShape('TaskAnswer', {
    'entity-type': entityTypeShape('task'),
    id: optionalText,
    comment: optionalText,
    variables,
  }),
  ({ id, comment, variables: given }) => ({ id, comment, variables: given ?? {} }),
);
