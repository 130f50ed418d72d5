import { Invalid } from '../../errors.ts';
import { type Language, languageNamed, languages } from '../../model/labels.ts';
import type { Scope } from '../../scope.ts';

/** How a user wants to be notified. */
export interface NotificationChoice {
  /** Whether to mail about new tasks and about changes of documents that the user follows. */
  readonly byMail: boolean;
  /** The language of all mails to the user; null for the language of the request that causes a mail. */
  readonly language: Language | null;
}

const select = { isNotified: true, language: true } as const;

const choiceOf = (user: { readonly isNotified: boolean; readonly language: string | null }) => ({
  byMail: user.isNotified,
  language: languageNamed(user.language) ?? null,
});

/** The caller's choice of notifications. */
export const notificationChoiceOf = async ({ db, user: { id } }: Scope): Promise<NotificationChoice> =>
  choiceOf(await db.prisma.user.findUniqueOrThrow({ where: { id }, select }));

/** A change of the choice: absent fields stay, and null resets the language. */
export interface NotificationsChange {
  readonly byMail?: boolean | null | undefined;
  readonly language?: string | null | undefined;
}

/**
 * Changes the caller's choice of notifications. Mails that are already waiting are still sent.
 * @throws Invalid for a language without mail templates
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
