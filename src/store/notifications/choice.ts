import { Invalid } from '../../errors.ts';
import { type Language, languageNamed, languages } from '../../model/labels.ts';
import type { Scope } from '../../scope.ts';

/** Which notifications a user wants. */
export interface NotificationChoice {
  /** Mails about new tasks and about changes of what the user follows. */
  readonly byMail: boolean;
  /** The language of all mails to the user; null for that of the request that causes a mail. */
  readonly language: Language | null;
}

const select = { isNotified: true, language: true } as const;

const choiceOf = (user: { readonly isNotified: boolean; readonly language: string | null }) => ({
  byMail: user.isNotified,
  language: languageNamed(user.language) ?? null,
});

export const notificationChoiceOf = async ({ db, user: { id } }: Scope): Promise<NotificationChoice> =>
  choiceOf(await db.prisma.user.findUniqueOrThrow({ where: { id }, select }));

/** What a user changes: fields that are absent stay, and a null resets the language. */
export interface NotificationsChange {
  readonly byMail?: boolean | null | undefined;
  readonly language?: string | null | undefined;
}

/**
 * Each user chooses alone; a mail that is already waiting to be sent still comes.
 * @throws Invalid for a language in which there are no mails
 */
export async function changeNotificationChoice(
  { db, user: { id } }: Scope,
  { byMail, language }: NotificationsChange,
): Promise<NotificationChoice> {
  if (typeof language === 'string' && !languageNamed(language))
    throw new Invalid(`language: "${language.slice(0, 80)}" is not one of ${languages.join(', ')}`);
  const data = {
    ...(typeof byMail === 'boolean' && { isNotified: byMail }),
    ...(language !== undefined && { language }),
  };
  return choiceOf(await db.prisma.user.update({ where: { id }, data, select }));
}
