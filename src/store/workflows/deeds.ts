import type { WorkflowRow } from '../../loaders/workflows.ts';
import { facetsOf } from '../../model/facets-of.ts';
import { transitionsFrom } from '../../model/life-cycle.ts';
import type { Deed } from '../../model/workflows/definition.ts';
import { administrator, type Scope } from '../../scope.ts';
import { createVersion } from '../check-in.ts';
import { followTransition } from '../life-cycle.ts';
import { findDocument } from '../lock-document.ts';
import { removeLock, setLock } from '../locks.ts';

/** Does one thing with a document, unless it cannot be done. */
async function doOne(server: Scope, { initiator }: WorkflowRow, id: string, deed: Deed): Promise<void> {
  const row = await findDocument(server, { id });
  switch (deed.do) {
    case 'lock':
      if (row.lockOwner === null) await setLock({ ...server, user: administrator(initiator) }, { id });
      return;
    case 'unlock':
      if (row.lockOwner === initiator) await removeLock(server, { id });
      return;
    case 'follow':
      if (transitionsFrom(row.state).includes(deed.transition))
        await followTransition(server, { id }, deed.transition);
      return;
    case 'checkIn':
      if (facetsOf(server.model, row).includes('Versionable'))
        await createVersion(server, { id }, deed.increment);
  }
}

/** Does with the documents of a workflow, which are held, what its model says. @param server acts for the server. */
export async function doAll(server: Scope, workflow: WorkflowRow, deeds: readonly Deed[]): Promise<void> {
  for (const deed of deeds) {
    for (const id of workflow.documentIds) await doOne(server, workflow, id, deed);
  }
}
