import type { TaskComment } from '../../loaders/workflows/tasks.ts';
import type { EventName } from '../../model/event-names.ts';
import { concern } from '../../model/inbox.ts';
import type { Scope } from '../../scope.ts';
import { administrator } from '../../security/principal.ts';
import type { AuditEvent } from '../audit/audit.ts';
import type { LockedWorkflow } from '../row-locks/lock-workflow.ts';

/** A scope in which the server acts on behalf of the caller with all permissions. */
export const asServer = (scope: Scope): Scope => ({ ...scope, user: administrator(scope.user.id) });

/** The caller's comment as a list; empty if there is no text. */
export const callerComments = ({ user }: Scope, text: string | null | undefined): TaskComment[] =>
  text ? [{ author: user.id, text, date: new Date().toISOString() }] : [];

/**
 * The log events for a workflow: one for each of its documents, or one for the repository if the workflow has no
 * documents.
 */
export const routingEvents = (
  { options: { repository } }: Scope,
  { workflow, documents }: Pick<LockedWorkflow, 'workflow' | 'documents'>,
  eventId: EventName,
  {
    comment,
    newActors = [],
    ...extended
  }: {
    readonly comment?: string | null | undefined;
    /** The users and groups who get the task by this event. */
    readonly newActors?: readonly string[];
  } & Record<string, unknown> = {},
): AuditEvent[] =>
  (documents.length > 0 ? documents.map((document) => ({ document })) : [{ repository }]).map((subject) => ({
    eventId,
    category: 'Routing',
    ...subject,
    comment,
    concerns: newActors.map((actor) => concern('task', actor)),
    extended: {
      workflowId: workflow.id,
      modelName: workflow.model,
      workflowInitiator: workflow.initiator,
      ...extended,
    },
  }));
