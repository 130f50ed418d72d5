import { TooManyRequests } from '../../errors.ts';
import { type UserRow, usersById } from '../../loaders/authorities/authorities.ts';
import { readersAmong } from '../../loaders/comments/mentions.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Language } from '../../model/labels.ts';
import { isMailAddress } from '../../model/mail/mail-headers.ts';
import { fillMailTemplate } from '../../model/mail/templates.ts';
import type { Scope } from '../../scope.ts';
import { mailLink } from '../mail/mail-link.ts';
import { queueMails } from '../mail/queue-mail.ts';
import type { Concerned } from './concerned.ts';

/** The maximum number of subscribers who are considered, including those who cannot read the document. */
const maxSubscribers = 1000;

/** A new or changed comment about which people are notified. */
interface Notification {
  readonly document: DocumentRow;
  readonly comment: DocumentRow;
  readonly name: 'CommentAdded' | 'CommentUpdated';
  readonly concerned: Concerned;
}

type TemplateName = Parameters<typeof fillMailTemplate>[0];

interface Recipient {
  readonly language: Language;
  readonly template: TemplateName;
}

/**
 * The subscribers of the document, of the thread and of the document's ancestors, except the caller, if they can read
 * the document.
 */
async function subscribersOf(
  scope: Scope,
  { document, comment, name }: Notification,
): Promise<readonly UserRow[]> {
  const subscribers = await scope.db.prisma.subscription.groupBy({
    by: 'userId',
    where: {
      repository: document.repository,
      documentId: { in: [...comment.ancestorIds, comment.id] },
      notification: name,
      userId: { not: scope.user.id },
    },
    orderBy: { userId: 'asc' },
    take: maxSubscribers,
  });
  const users = await usersById(scope).loadMany(subscribers.map(({ userId }) => userId));
  const found = users.filter((user): user is UserRow => user !== null && !(user instanceof Error));
  return readersAmong(scope, document, found);
}

/** The recipients by their addresses. Each gets one email, about what concerns them most. */
function recipientsOf(
  scope: Scope,
  { name, concerned: { mentioned, answered } }: Notification,
  subscribers: readonly UserRow[],
): ReadonlyMap<string, Recipient> {
  const recipients = new Map<string, Recipient>();
  const add = (users: readonly UserRow[], template: TemplateName): void => {
    for (const { id, properties, language, isNotified } of users) {
      const { email } = properties;
      if (id === scope.user.id || !isNotified || typeof email !== 'string' || !isMailAddress(email)) continue;
      if (!recipients.has(email))
        recipients.set(email, { template, language: language ?? scope.options.language });
    }
  };
  add(mentioned, 'commentMention');
  add(answered, 'commentReply');
  add(subscribers, name === 'CommentAdded' ? 'commentAdded' : 'commentUpdated');
  return recipients;
}

/**
 * Emails the people whom a comment mentions, those to whose comments it replies, and subscribers. If that would exceed
 * MAIL_LIMIT, no emails are sent, but the comment is accepted.
 */
export async function notifySubscribers(scope: Scope, notification: Notification): Promise<void> {
  const { document, comment } = notification;
  const all = recipientsOf(scope, notification, await subscribersOf(scope, notification));
  const recipients = [...all].slice(0, scope.services.config.MAIL_LIMIT);
  const text = comment.properties['comment:text'];
  const values = {
    author: scope.user.id,
    title: document.title,
    link: mailLink(scope, document),
    comment: typeof text === 'string' ? text : undefined,
  };
  try {
    await queueMails(
      scope,
      recipients.map(([address, { template, language }]) => ({
        ...fillMailTemplate(template, language, values),
        to: [address],
      })),
    );
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    scope.services.log.warn(
      { user: scope.user.id, document: document.id },
      'Notifications about a comment were not sent, because they would exceed MAIL_LIMIT.',
    );
  }
}
