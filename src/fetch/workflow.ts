import { Field, inPlaceOf, type Selection } from '../selection.ts';
import { fetchedDocuments, type Inside } from './task.ts';

/** §10 `fetch.workflow`: what each name adds to a workflow. */
export const workflow: Readonly<Record<string, (inside: Inside) => Selection>> = {
  initiator: ({ user }) => ({ initiatorUser: new Field({ ...user, ...inPlaceOf('initiator') }) }),
  attachedDocumentIds: (inside) => ({ attachedDocumentIds: fetchedDocuments(inside) }),
};
