import type { Scope } from '../../scope.ts';

/** Which notifications a user wants. */
export interface NotificationChoice {
  /** Mails about new tasks and about changes of what the user follows. */
  readonly byMail: boolean;
}

const select = { isNotified: true } as const;

export async function notificationChoiceOf({ db, user: { id } }: Scope): Promise<NotificationChoice> {
  const { isNotified } = await db.prisma.user.findUniqueOrThrow({ where: { id }, select });
  return { byMail: isNotified };
}

/** Each user chooses alone; a mail that is already waiting to be sent still comes. */
export async function changeNotificationChoice(
  { db, user: { id } }: Scope,
  { byMail }: NotificationChoice,
): Promise<NotificationChoice> {
  await db.prisma.user.update({ where: { id }, data: { isNotified: byMail }, select });
  return { byMail };
}
