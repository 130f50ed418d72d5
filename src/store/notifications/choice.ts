import { Invalid } from '../../errors.ts';
import { type Language, languageNamed, languages } from '../../model/labels.ts';
import type { Scope } from '../../scope.ts';

/** A user's notification settings. */
export interface NotificationChoice {
  /** Whether the user is sent emails about new tasks and about changes to documents that they follow. */
  readonly byMail: boolean;
  /** The language of all emails to the user; null for the language of the request that triggers the email. */
  readonly language: Language | null;
}

const select = { isNotified: true, language: true } as const;

const choiceOf = (user: { readonly isNotified: boolean; readonly language: string | null }) => ({
  byMail: user.isNotified,
  language: languageNamed(user.language) ?? null,
});

/** The caller's notification settings. */
export const notificationChoiceOf = async ({ db, user: { id } }: Scope): Promise<NotificationChoice> =>
  choiceOf(await db.prisma.user.findUniqueOrThrow({ where: { id }, select }));

/** A change to the notification settings: absent fields remain unchanged, and null resets the language. */
export interface NotificationsChange {
  readonly byMail?: boolean | null | undefined;
  readonly language?: string | null | undefined;
}

/**
 * Changes the caller's notification settings. Pending emails are still sent.
 * @throws Invalid for a language without email templates
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
