import type { TaskRow } from '../../loaders/tasks.ts';
import type { Scope } from '../../scope.ts';
import type { Ace } from '../../security/acl.ts';
import { type AclChange, inTurn, setAces } from '../../security/change-acls.ts';
import { changeAcls } from '../change-acls.ts';
import { nameOfActor } from './actors.ts';

/** What the ACLs of tasks say made their entries. */
const creator = 'Workflow';

type Actors = Pick<TaskRow, 'id' | 'actors' | 'delegatedActors'>;

const granting = (actors: readonly string[], permission: string): Ace[] =>
  actors.map((actor) => ({
    ...{ username: nameOfActor(actor), permission, granted: true },
    ...{ creator, begin: null, end: null },
  }));

/**
 * What a task's actors may do with the documents, and those whom they have asked to: an ACL of its own for each of the
 * two, which stand before the local one (§2.5). Without a permission, nothing.
 */
export const rightsOf = (
  { id, actors, delegatedActors }: Actors,
  permission: string | undefined,
): AclChange =>
  inTurn(
    setAces(`routing/${id}`, permission === undefined ? [] : granting(actors, permission)),
    setAces(`delegation/${id}`, permission === undefined ? [] : granting(delegatedActors, permission)),
  );

/** Takes them back. */
export const noRightsOf = (task: Actors): AclChange => rightsOf(task, undefined);

/** Changes the ACLs of documents that are held. @param server acts for the server. */
export async function changeRights(
  server: Scope,
  documentIds: readonly string[],
  changes: readonly AclChange[],
): Promise<void> {
  if (changes.length === 0) return;
  for (const id of documentIds) await changeAcls(server, { id }, inTurn(...changes));
}
