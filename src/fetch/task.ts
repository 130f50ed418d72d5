import { Field, inPlaceOf, type Node, type Selection } from '../selection.ts';

/** What is inside of what is asked for. */
export interface Inside {
  readonly document: Node;
  readonly user: Field;
  readonly group: Selection;
}

interface FoundDocument {
  readonly id: string;
  readonly document?: unknown;
}

/** A list of documents that are fetched; where there is no room for one, its id stays. */
export const fetchedDocuments = ({ document }: Inside): Field =>
  new Field({
    of: { id: true, document },
    show: (list) => (list as readonly FoundDocument[]).map(({ id, document: found }) => found ?? { id }),
  });

interface FoundActor {
  readonly id: string;
  readonly user?: unknown;
  readonly group?: unknown;
}

/** A list of users and groups that are fetched; whoever is gone is an id still. */
const fetchedActors = ({ user, group }: Inside): Field =>
  new Field({
    of: { id: true, user, group },
    show: (list) =>
      (list as readonly FoundActor[]).map(({ id, user: found, group: other }) => found ?? other ?? { id }),
  });

/** §10.2 `fetch.task`: what each name adds to a task. */
export const task: Readonly<Record<string, (inside: Inside) => Selection>> = {
  workflowInitiator: ({ user }) => ({
    initiatorUser: new Field({ ...user, ...inPlaceOf('workflowInitiator') }),
  }),
  targetDocumentIds: (inside) => ({ targetDocumentIds: fetchedDocuments(inside) }),
  actors: (inside) => ({ actors: fetchedActors(inside), delegatedActors: fetchedActors(inside) }),
};
