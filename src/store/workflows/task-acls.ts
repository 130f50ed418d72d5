import type { TaskRow } from '../../loaders/workflows/tasks.ts';
import type { Scope } from '../../scope.ts';
import type { Ace } from '../../security/acl.ts';
import { type AclChange, composeAclChanges, setAces } from '../../security/change-acls.ts';
import { changeAcls } from '../acls/change-acls.ts';
import { nameOfActor } from './actors.ts';

const creator = 'Workflow';

type Actors = Pick<TaskRow, 'id' | 'actors' | 'delegatedActors'>;

const granting = (actors: readonly string[], permission: string): Ace[] =>
  actors.map((actor) => ({
    username: nameOfActor(actor),
    permission,
    granted: true,
    creator,
    begin: null,
    end: null,
  }));

/**
 * An ACL change that grants the permission needed for a task, with one ACL for its actors and one for its delegates,
 * both placed before `local` (§2.5).
 */
export const taskAclChange = (
  { id, actors, delegatedActors }: Actors,
  permission: string | undefined,
): AclChange =>
  composeAclChanges(
    setAces(`routing/${id}`, permission === undefined ? [] : granting(actors, permission)),
    setAces(`delegation/${id}`, permission === undefined ? [] : granting(delegatedActors, permission)),
  );

/** An ACL change that removes the ACLs of a task. */
export const taskAclRemoval = (task: Actors): AclChange => taskAclChange(task, undefined);

/**
 * Changes the ACLs of locked documents.
 * @param server the scope returned by `asServer`
 */
export async function changeDocumentAcls(
  server: Scope,
  documentIds: readonly string[],
  changes: readonly AclChange[],
): Promise<void> {
  if (changes.length === 0) return;
  for (const id of documentIds) await changeAcls(server, { id }, composeAclChanges(...changes));
}
