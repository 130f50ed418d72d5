/** Why an event is in a user's inbox; of several reasons, the first one counts. */
export const inboxReasons = ['mention', 'reply', 'share', 'task', 'follow'] as const;

export type InboxReason = (typeof inboxReasons)[number];

/**
 * Whom an event concerns, as the column `concerns` of the log stores it: a reason with a user or group. Tasks name their
 * actors as `user:NAME` or `group:NAME`, and permissions name users and groups alike.
 */
export const concern = (reason: Exclude<InboxReason, 'follow'>, name: string): string => `${reason}:${name}`;
