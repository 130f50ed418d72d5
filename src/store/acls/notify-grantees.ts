import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { recipientsOf } from '../../loaders/mail/recipients.ts';
import { hashId } from '../../model/hash-id.ts';
import type { Language } from '../../model/labels.ts';
import { isMailAddress } from '../../model/mail/mail-headers.ts';
import { fillMailTemplate } from '../../model/mail/templates.ts';
import type { Scope } from '../../scope.ts';
import { type Ace, aceKey, aceStatus, isGuest, type NamedAcl, shownName } from '../../security/acl.ts';
import { mailLink } from '../mail/mail-link.ts';
import { type MailDraft, queueMails, withdrawMails } from '../mail/queue-mail.ts';

/**
 * Returns the email addresses and languages of users, of the members of groups, and of guests, by the name in the ACE.
 * A user can be listed under several names.
 */
async function addressesOf(
  scope: Scope,
  aces: readonly Ace[],
): Promise<ReadonlyMap<string, Map<string, Language>>> {
  const names = [...new Set(aces.map(({ username }) => username))];
  const known = names.filter((name) => !isGuest(name));
  // Reads one more address than the limit, to detect whether the limit is exceeded.
  const found = await recipientsOf(
    scope,
    { users: known, groups: known },
    scope.services.config.MAIL_LIMIT + 1,
  );
  const guests = names.filter(isGuest).map((name) => ({ name, email: shownName(name), language: null }));
  const addresses = new Map(names.map((name) => [name, new Map<string, Language>()]));
  for (const { name, email, language } of [...found, ...guests])
    if (isMailAddress(email)) addresses.get(name)?.set(email, language ?? scope.options.language);
  return addresses;
}

type Titled = Pick<DocumentRow, 'repository' | 'id' | 'title'>;

const keyOf = ({ repository, id }: Titled, ace: Ace): string =>
  hashId([repository, id, aceKey(ace)].join('/'));

/**
 * Sends one email to each grantee of the ACEs as soon as the ACEs are effective.
 * @returns the number of emails
 * @throws TooManyRequests
 */
export async function mailGrantees(scope: Scope, document: Titled, aces: readonly Ace[]): Promise<number> {
  if (aces.length === 0) return 0;
  const { user } = scope;
  const addresses = await addressesOf(scope, aces);
  const drafts = aces.flatMap((ace): MailDraft[] => {
    const { username, permission, comment, begin } = ace;
    const values = {
      granter: user.id,
      holder: shownName(username),
      permission,
      title: document.title,
      link: isGuest(username) ? scope.options.links.share() : mailLink(scope, document),
      comment,
    };
    return [...(addresses.get(username) ?? [])].map(([address, language]) => ({
      ...fillMailTemplate('permission', language, values),
      to: [address],
      notBefore: begin,
      document,
      ...(begin !== null && { ace: keyOf(document, ace) }),
    }));
  });
  await queueMails(scope, drafts);
  return drafts.length;
}

/** The ACEs that grant a permission and require that the grantee be notified, by key. */
const notifying = (acls: readonly NamedAcl[]): ReadonlyMap<string, Ace> =>
  new Map(
    acls
      .flatMap(({ aces }) => aces)
      .filter(({ granted, notify }) => granted && notify)
      .map((ace) => [aceKey(ace), ace]),
  );

/**
 * Sends emails to the grantees of ACEs that a change adds, or for which it sets `notify` (§2.5). Pending emails about
 * ACEs that the change removes are withdrawn.
 */
export async function notifyGrantees(
  scope: Scope,
  document: Titled,
  { before, after }: { readonly before: readonly NamedAcl[]; readonly after: readonly NamedAcl[] },
): Promise<void> {
  const [known, requested] = [notifying(before), notifying(after)];
  const now = new Date().toISOString();
  const gone = [...known.values()].filter((ace) => !requested.has(aceKey(ace)));
  const waiting = gone.filter((ace) => aceStatus(ace, now) === 'pending');
  await withdrawMails(
    scope,
    waiting.map((ace) => keyOf(document, ace)),
  );
  const fresh = [...requested.values()].filter(
    (ace) => !known.has(aceKey(ace)) && aceStatus(ace, now) !== 'archived',
  );
  await mailGrantees(scope, document, fresh);
}
