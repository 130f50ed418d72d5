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

/** Stops at the first item that names no document. */
const documentIds = z
  .unknown()
  .transform((given, context) => {
    const items = typeof given === 'string' ? splitSentList(given) : given;
    const fault = (message: string, path: number[]) => {
      context.issues.push({ code: 'custom', message, input: given, path });
      return z.NEVER;
    };
    if (!Array.isArray(items)) return fault('is no list of documents', []);
    const ids: string[] = [];
    for (const [index, item] of items.entries()) {
      const read = documentId.safeParse(item);
      if (!read.success) return fault('names no document', [index]);
      ids.push(read.data);
    }
    return ids;
  })
  .meta({
    anyOf: [
      { type: 'array', items: z.toJSONSchema(documentId, { io: 'input', target: 'openapi-3.0' }) },
      { type: 'string' },
    ],
  });

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
