/**
 * The names of all events that the server itself logs. They are the entries of the directory `eventTypes`. Only
 * administrators can log events with these names through operations.
 */
export const eventNames = [
  'documentCreated',
  'documentModified',
  'documentRemoved',
  'documentTrashed',
  'documentUntrashed',
  'documentMoved',
  'documentDuplicated',
  'documentCreatedByCopy',
  'documentLocked',
  'documentUnlocked',
  'documentSecurityUpdated',
  'documentCheckedIn',
  'documentCheckedOut',
  'documentRestored',
  'versionRemoved',
  'documentProxyPublished',
  'sectionContentPublished',
  'proxyRemoved',
  'addedToCollection',
  'removedFromCollection',
  'download',
  'afterMakeRecord',
  'afterSetRetention',
  'afterExtendRetention',
  'afterSetLegalHold',
  'afterRemoveLegalHold',
  'commentAdded',
  'commentUpdated',
  'commentRemoved',
  'lifecycle_transition_event',
  'loginSuccess',
  'loginFailed',
  'logout',
  'user_created',
  'user_modified',
  'user_deleted',
  'group_created',
  'group_modified',
  'group_deleted',
  'afterWorkflowStarted',
  'afterWorkflowFinish',
  'afterWorkflowTaskCreated',
  'afterWorkflowTaskEnded',
  'afterWorkflowTaskReassigned',
  'afterWorkflowTaskDelegated',
  'workflowCanceled',
] as const;

export type EventName = (typeof eventNames)[number];

/**
 * Normalizes an event name. Webhook receivers may compare names loosely, so variants in case or form count as equal.
 */
const comparable = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

const comparableNames: ReadonlySet<string> = new Set(eventNames.map(comparable));

/** Whether a name is that of one of the server's own events, ignoring case and surrounding blanks. */
export const isServerEvent = (name: string): boolean => comparableNames.has(comparable(name));
