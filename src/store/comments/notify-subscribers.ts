import { TooManyRequests } from '../../errors.ts';
import { createAccess, readPermissionFor } from '../../loaders/acls/access.ts';
import { type UserRow, usersById } from '../../loaders/authorities/authorities.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Language } from '../../model/labels.ts';
import { isMailAddress } from '../../model/mail/mail-headers.ts';
import { fillMailTemplate } from '../../model/mail/templates.ts';
import type { Scope } from '../../scope.ts';
import { principals } from '../../security/principal.ts';
import { mailLink } from '../mail/mail-link.ts';
import { queueMails } from '../mail/queue-mail.ts';

/** The maximum number of subscribers who are considered, including those who cannot read the document. */
const maxSubscribers = 1000;

/** The email addresses of the users who can read the document, along with their languages. */
async function readersOf(
  scope: Scope,
  document: DocumentRow,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Language>> {
  const users = await usersById(scope).loadMany(ids);
  const found = users.filter((user): user is UserRow => user !== null && !(user instanceof Error));
  const asPrincipal = principals(scope.services.config.ADMIN_USERNAME);
  const needed = readPermissionFor(document);
  // Fills the cache, so that the loop below sends no statements.
  await createAccess(scope).entries(document.aclId);
  const addresses = new Map<string, Language>();
  for (const { id, groups, properties, language } of found) {
    const user = asPrincipal({ id, groups: groups.map((group) => group.id) });
    const { email } = properties;
    if (typeof email !== 'string' || !isMailAddress(email)) continue;
    if (await createAccess({ ...scope, user }).may(document, needed))
      addresses.set(email, language ?? scope.options.language);
  }
  return addresses;
}

/** A new or changed comment about which subscribers are notified. */
interface Notification {
  readonly document: DocumentRow;
  readonly comment: DocumentRow;
  readonly name: 'CommentAdded' | 'CommentUpdated';
}

/**
 * Emails the subscribers of the document, of the thread and of the document's ancestors, except the caller. If that
 * would exceed MAIL_LIMIT, no emails are sent, but the comment is accepted.
 */
export async function notifySubscribers(
  scope: Scope,
  { document, comment, name }: Notification,
): Promise<void> {
  const documentId = { in: [...comment.ancestorIds, comment.id] };
  const subscribers = await scope.db.prisma.subscription.groupBy({
    by: 'userId',
    where: {
      repository: document.repository,
      documentId,
      notification: name,
      userId: { not: scope.user.id },
    },
    orderBy: { userId: 'asc' },
    take: maxSubscribers,
  });
  const ids = subscribers.map(({ userId }) => userId);
  if (ids.length === 0) return;
  const addresses = [...(await readersOf(scope, document, ids))].slice(0, scope.services.config.MAIL_LIMIT);
  const text = comment.properties['comment:text'];
  const values = {
    author: scope.user.id,
    title: document.title,
    link: mailLink(scope, document),
    comment: typeof text === 'string' ? text : undefined,
  };
  const template = name === 'CommentAdded' ? 'commentAdded' : 'commentUpdated';
  try {
    await queueMails(
      scope,
      addresses.map(([address, language]) => ({
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
