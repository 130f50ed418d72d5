import type { EventName } from './event-names.ts';

/** The events by which a user gets a new task. */
export const taskEvents = [
  'afterWorkflowTaskCreated',
  'afterWorkflowTaskReassigned',
  'afterWorkflowTaskDelegated',
] as const satisfies readonly EventName[];

/** How often users can get emails about tasks, comments and changes to documents that they follow. */
export const mailFrequencies = ['immediately', 'daily', 'never'] as const;

export type MailFrequency = (typeof mailFrequencies)[number];

/**
 * The notifications to which users can subscribe (§4.9), each with the events that emails about changes report.
 * Comments are reported in separate emails. Nothing is sent for the other notifications without events.
 */
const notifications: Readonly<Record<string, readonly EventName[]>> = {
  Creation: ['documentCreated', 'documentCreatedByCopy'],
  Modification: [
    'documentModified',
    'documentMoved',
    'documentRestored',
    'documentTrashed',
    'documentUntrashed',
  ],
  Publication: ['documentProxyPublished', 'sectionContentPublished'],
  'Workflow Change': [
    'lifecycle_transition_event',
    'afterWorkflowStarted',
    'afterWorkflowFinish',
    'workflowCanceled',
  ],
  'Approbation review started': ['afterWorkflowStarted'],
  'Email document': [],
  'Subscriptions updated': [],
  CommentAdded: [],
  CommentUpdated: [],
  'Task assigned': taskEvents,
};

export const notificationNames: readonly string[] = Object.keys(notifications);

/** All pairs of a notification and one of its events. */
export const notificationEvents: ReadonlyArray<readonly [notification: string, event: EventName]> =
  Object.entries(notifications).flatMap(([name, events]) => events.map((event) => [name, event] as const));

/** The pairs that a daily digest reports. It also reports comments, because no separate emails are sent about them. */
export const digestEvents: typeof notificationEvents = [
  ...notificationEvents,
  ['CommentAdded', 'commentAdded'],
  ['CommentUpdated', 'commentUpdated'],
];
