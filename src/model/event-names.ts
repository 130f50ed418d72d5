/**
 * The names of all events that the server itself logs. They are the entries of the directory `eventTypes`, and
 * only administrators can log events of these names through operations.
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

/** Receivers of webhooks may compare names loosely: these forms of a name count as the same. */
const comparable = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

const comparableNames: ReadonlySet<string> = new Set(eventNames.map(comparable));

/** Whether a name is one of the server's own, also in other case or with blanks around it. */
export const isServerEvent = (name: string): boolean => comparableNames.has(comparable(name));
