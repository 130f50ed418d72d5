import { Invalid } from '../../errors.ts';
import { type Language, languageNamed, languages } from '../../model/labels.ts';
import { type MailFrequency, mailFrequencies } from '../../model/notifications.ts';
import type { Scope } from '../../scope.ts';

/** A user's notification settings. */
export interface NotificationChoice {
  /** Whether the user is sent emails about tasks, comments and changes to documents that they follow. */
  readonly byMail: boolean;
  /** How often. */
  readonly frequency: MailFrequency;
  /** The language of all emails to the user; null for the language of the request that triggers the email. */
  readonly language: Language | null;
}

const select = { isNotified: true, isDaily: true, language: true } as const;

interface StoredChoice {
  readonly isNotified: boolean;
  readonly isDaily: boolean;
  readonly language: string | null;
}

function choiceOf({ isNotified, isDaily, language }: StoredChoice): NotificationChoice {
  const otherwise = isDaily ? 'daily' : 'never';
  return {
    byMail: isNotified || isDaily,
    frequency: isNotified ? 'immediately' : otherwise,
    language: languageNamed(language) ?? null,
  };
}

/** The caller's notification settings. */
export const notificationChoiceOf = async ({ db, user: { id } }: Scope): Promise<NotificationChoice> =>
  choiceOf(await db.prisma.user.findUniqueOrThrow({ where: { id }, select }));

/** A change to the notification settings: absent fields remain unchanged, and null resets the language. */
export interface NotificationsChange {
  readonly byMail?: boolean | null | undefined;
  readonly frequency?: string | null | undefined;
  readonly language?: string | null | undefined;
}

const isFrequency = (name: string): name is MailFrequency =>
  (mailFrequencies as readonly string[]).includes(name);

/**
 * Returns the new frequency; undefined if it does not change. A client that knows only `byMail` sends back the
 * frequency that it has read, so of two fields that contradict each other, the one that changes counts.
 * @throws Invalid
 */
function newFrequency(
  before: NotificationChoice,
  { byMail, frequency }: NotificationsChange,
): MailFrequency | undefined {
  if (typeof frequency === 'string') {
    if (!isFrequency(frequency))
      throw new Invalid(`frequency: "${frequency.slice(0, 80)}" is not one of ${mailFrequencies.join(', ')}`);
    if (frequency !== before.frequency) return frequency;
  }
  if (typeof byMail !== 'boolean' || byMail === before.byMail) return undefined;
  return byMail ? 'immediately' : 'never';
}

/**
 * Changes the caller's notification settings. Pending emails are still sent. With a new frequency, only later events
 * are mailed, so that a digest does not repeat what has been mailed already.
 * @throws Invalid for an unknown frequency, and for a language without email templates
 */
export async function changeNotificationChoice(
  scope: Scope,
  { language, ...change }: NotificationsChange,
): Promise<NotificationChoice> {
  const {
    db,
    user: { id },
  } = scope;
  if (typeof language === 'string' && !languageNamed(language))
    throw new Invalid(`language: "${language.slice(0, 80)}" is not one of ${languages.join(', ')}`);
  const frequency = newFrequency(await notificationChoiceOf(scope), change);
  const data = {
    ...(frequency !== undefined && {
      isNotified: frequency === 'immediately',
      isDaily: frequency === 'daily',
      notifiedSince: new Date(),
    }),
    ...(language !== undefined && { language }),
  };
  return choiceOf(await db.prisma.user.update({ where: { id }, data, select }));
}
