import { isRetained } from '../../loaders/documents/document-row.ts';
import { findDocument } from '../../loaders/documents/unchecked.ts';
import type { WorkflowRow } from '../../loaders/workflows/workflows.ts';
import { facetsOf } from '../../model/facets-of.ts';
import { transitionsFrom } from '../../model/life-cycle.ts';
import type { WorkflowAction } from '../../model/workflows/definition.ts';
import type { Scope } from '../../scope.ts';
import { administrator } from '../../security/principal.ts';
import { followTransition } from '../documents/life-cycle.ts';
import { removeLock, setLock } from '../documents/user-lock.ts';
import { createVersion } from '../versions/check-in.ts';

/** Performs an action on a document. An action that is not possible, such as locking a locked document, is skipped. */
async function doOne(
  server: Scope,
  { initiator }: WorkflowRow,
  id: string,
  action: WorkflowAction,
): Promise<void> {
  const row = await findDocument(server, { id });
  switch (action.do) {
    case 'lock':
      if (row.lockOwner === null) await setLock({ ...server, user: administrator(initiator) }, { id });
      return;
    case 'unlock':
      if (row.lockOwner === initiator) await removeLock(server, { id });
      return;
    case 'follow':
      if (!isRetained(row) && transitionsFrom(row).includes(action.transition))
        await followTransition(server, { id }, action.transition);
      return;
    case 'checkIn':
      if (facetsOf(server.services.model, row).includes('Versionable'))
        await createVersion(server, { id }, action.increment);
  }
}

/**
 * Performs the actions of a node on the locked documents of a workflow.
 * @param server the scope returned by `asServer`
 */
export async function runActions(
  server: Scope,
  workflow: WorkflowRow,
  actions: readonly WorkflowAction[],
): Promise<void> {
  for (const action of actions) {
    for (const id of workflow.documentIds) await doOne(server, workflow, id, action);
  }
}
