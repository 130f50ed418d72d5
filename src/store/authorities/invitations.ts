import { randomBytes } from 'node:crypto';
import { modelColumns } from '../../db/columns.ts';
import type { Client, Session } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Invalid, NotFound } from '../../errors.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import type { Language } from '../../model/labels.ts';
import { isMailAddress } from '../../model/mail/mail-headers.ts';
import { fillMailTemplate } from '../../model/mail/templates.ts';
import { visibleName } from '../../model/names.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope, Using } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { queueMails } from '../mail/queue-mail.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { authorityEvent } from './events.ts';
import { refusedPassword } from './password-rules.ts';
import { hashPassword } from './passwords.ts';
import { requireEditor } from './rights.ts';
import { createUser, type UserJson, updateUser } from './users.ts';

/** The number of milliseconds after which an invitation expires. */
const lifetime = 7 * 86_400_000;

/**
 * Parses the user name and email address of a user to invite.
 * @throws Invalid
 */
function readInvited({ id, properties }: UserJson): { username: string; email: string } {
  const { email, username = id ?? email, password } = properties ?? {};
  if (typeof email !== 'string' || !isMailAddress(email))
    throw new Invalid('email: an invitation needs exactly one e-mail address');
  if ((password ?? null) !== null)
    throw new Invalid('password must not be set, because the invited user chooses the password');
  return { username: visibleName(String(username || email), 'username'), email };
}

/**
 * Creates a user without a password and emails them a link to a page on which they can set one. Until the invitation is
 * accepted, the user can be invited again, which invalidates the earlier link.
 * @returns the id of the invitation
 * @throws Forbidden, Invalid, Unprocessable, TooManyRequests; Conflict if the user already exists and has no open
 * invitation
 */
export async function inviteUser(scope: Scope, input: UserJson, comment?: string): Promise<string> {
  requireEditor(scope.user);
  const { username, email } = readInvited(input);
  const { prisma } = scope.db;
  const user = { properties: { ...input.properties, username } };
  const before = await prisma.invitation.findUnique({ where: { userId: username } });
  if (before) await updateUser(scope, username, user);
  else await createUser(scope, user);

  const token = randomBytes(32).toString('base64url');
  const data = {
    tokenHash: tokenHash(token),
    createdBy: scope.user.id,
    expiresAt: new Date(Date.now() + lifetime),
  };
  const { id } = await prisma.invitation.upsert({
    where: { userId: username },
    create: { userId: username, ...data },
    update: data,
    select: { id: true },
  });
  const { language, links } = scope.options;
  const values = { inviter: scope.user.id, user: username, link: links.invitation(token), comment };
  await queueMails(scope, [{ to: [email], ...fillMailTemplate('invitation', language, values) }]);
  return id;
}

const openQuery = statement('open-invitation', modelColumns('User', 'id', 'properties'))`
  SELECT u.id, u.properties FROM invitation i JOIN "user" u ON u.id = i.user_id
  WHERE i.token_hash = $1 AND i.expires_at > now()`;

/** The user to whom an invitation was sent. */
interface InvitedUser {
  readonly id: string;
  readonly properties: StoredProperties;
}

/** The user to whom an invitation was sent; null if the invitation was used or replaced, or has expired. */
export async function invitedUser(db: Pick<Client, 'query'>, token: string): Promise<InvitedUser | null> {
  const [found] = await db.query(openQuery, [tokenHash(token)]);
  return found ? { id: found.id, properties: found.properties as StoredProperties } : null;
}

/**
 * Accepts an invitation by setting the user's password.
 * @throws NotFound if the invitation is no longer open; Invalid if the password is refused
 */
export async function acceptInvitation(
  { services, db }: { readonly db: Session } & Using<'config' | 'model'>,
  {
    token,
    password,
    language,
  }: { readonly token: string; readonly password: string; readonly language: Language },
): Promise<string> {
  const user = await invitedUser(db, token);
  if (!user) throw new NotFound('The invitation has already been used or has expired.');
  const refused = refusedPassword(services.config, password, user, language);
  if (refused !== undefined) throw new Invalid(refused);
  const { id } = user;
  // Passwords are hashed one at a time, and a request must not hold a database connection while it waits for its turn.
  const passwordHash = await hashPassword(password);
  return db.transaction(services.config.TRANSACTION_TIMEOUT, (client) =>
    setInvited({ db: client, services }, { id, token, passwordHash }),
  );
}

async function setInvited(
  { db, services }: { readonly db: Client } & Using<'model'>,
  { id, token, passwordHash }: { readonly id: string; readonly token: string; readonly passwordHash: string },
): Promise<string> {
  await lockAuthority(db, 'user', id, 'NO KEY UPDATE');
  const { count } = await db.prisma.invitation.deleteMany({ where: { tokenHash: tokenHash(token) } });
  if (count === 0) throw new NotFound('The invitation has already been used or has expired.');
  await db.prisma.user.update({ where: { id }, data: { passwordHash }, select: { id: true } });
  const scope = { db, services, user: { id }, options: { comment: undefined } };
  await recordEvents(scope, [authorityEvent('user', 'modified', id)]);
  await db.announce('principals');
  return id;
}
