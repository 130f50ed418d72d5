import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { recipientsOf } from '../../loaders/mail/recipients.ts';
import { isMailAddress } from '../../model/mail/mail-headers.ts';
import { fillMailTemplate } from '../../model/mail/templates.ts';
import type { Scope } from '../../scope.ts';
import { type Ace, aceId, aceStatus, guestPrefix, type NamedAcl } from '../../security/acl.ts';
import { type MailDraft, queueMails } from '../mail/queue-mail.ts';

const isGuest = (name: string): boolean => name.startsWith(guestPrefix);

/** E-mail addresses of users, of the members of groups, and of guests, each once for a name. */
async function addressesOf(scope: Scope, aces: readonly Ace[]): Promise<ReadonlyMap<string, Set<string>>> {
  const names = [...new Set(aces.map(({ username }) => username))];
  const known = names.filter((name) => !isGuest(name));
  // One more than a user may write to, so that it is refused.
  const found = await recipientsOf(scope, { users: known, groups: known }, scope.mail.limit + 1);
  const guests = names
    .filter(isGuest)
    .map((name) => ({ name, email: name.slice(guestPrefix.length).split('/')[0] ?? '' }));
  const addresses = new Map(names.map((name) => [name, new Set<string>()]));
  for (const { name, email } of [...found, ...guests])
    if (isMailAddress(email)) addresses.get(name)?.add(email);
  return addresses;
}

/**
 * Mails to whom ACEs grant something, to each in a mail of its own, once they are effective.
 * @returns the number of mails. @throws TooManyRequests
 */
export async function mailGrantees(
  scope: Scope,
  document: Pick<DocumentRow, 'repository' | 'id' | 'title'>,
  aces: readonly Ace[],
): Promise<number> {
  if (aces.length === 0) return 0;
  const { user, options } = scope;
  const addresses = await addressesOf(scope, aces);
  const drafts = aces.flatMap(({ username, permission, comment, begin }): MailDraft[] => {
    const draft = fillMailTemplate('permission', options.language, {
      granter: user.id,
      holder: username,
      permission,
      title: document.title,
      link: options.links.document(document),
      comment,
    });
    return [...(addresses.get(username) ?? [])].map((address) => ({
      ...draft,
      to: [address],
      notBefore: begin,
    }));
  });
  await queueMails(scope, drafts);
  return drafts.length;
}

const entriesOf = (acls: readonly NamedAcl[]): Ace[] => acls.flatMap(({ aces }) => aces);

/** §2.5 `notify`: mails about the ACEs that a change adds, or that are to be notified of since. */
export async function notifyGrantees(
  scope: Scope,
  document: Pick<DocumentRow, 'repository' | 'id' | 'title'>,
  { before, after }: { readonly before: readonly NamedAcl[]; readonly after: readonly NamedAcl[] },
): Promise<void> {
  const notified = (aces: readonly Ace[]) => aces.filter(({ notify }) => notify);
  const known = new Set(notified(entriesOf(before)).map(aceId));
  const now = new Date().toISOString();
  const fresh = notified(entriesOf(after)).filter(
    (ace) => ace.granted && aceStatus(ace, now) !== 'archived' && !known.has(aceId(ace)),
  );
  await mailGrantees(scope, document, fresh);
}
