import { randomBytes } from 'node:crypto';
import type { Config } from '../../config.ts';
import { modelColumns } from '../../db/columns.ts';
import type { Client, Session } from '../../db/database.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import { Invalid, NotFound } from '../../errors.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import { type Language, languageNamed } from '../../model/labels.ts';
import { isMailAddress } from '../../model/mail/mail-headers.ts';
import { fillMailTemplate, type MailTemplate } from '../../model/mail/templates.ts';
import { truncateBytes } from '../../model/names.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Using } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { queueOwnMail } from '../mail/queue-mail.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { endLocked } from '../tokens/credentials.ts';
import { credentialEvent } from './events.ts';
import { signInLabels } from './password-origin.ts';
import { refusedPassword } from './password-rules.ts';
import { hashPassword } from './passwords.ts';

/** The number of milliseconds after which a password reset link expires. */
const lifetime = 30 * 60_000;

/** The minimum number of milliseconds between two emails to the same user. */
const interval = 5 * 60_000;

/** The maximum length, in bytes, of the name in a request. It is limited because the name can be any string. */
const maxName = 320;

/** The path of the page on which a new password is set. */
export const resetPath = '/password/reset';

/** The kind of job that emails a password reset link. */
export const resetJob = 'send-reset';

/** Whether forgotten passwords can be reset. The links need a fixed address, because the Host header can be forged. */
export const canReset = ({ SMTP_URL, PUBLIC_URL, AUTH_CHAIN }: Config): boolean =>
  SMTP_URL !== undefined && PUBLIC_URL !== undefined && AUTH_CHAIN.includes('basic');

/** A request for a link. */
export interface ResetRequest {
  /** A user name or an email address. */
  readonly name: string;
  readonly language: Language;
}

/**
 * Requests a link for a forgotten password. The user is looked up by a job, so that the response time does not reveal
 * whether the user exists.
 */
export const requestReset = (
  db: Pick<Client, 'query' | 'announce'>,
  { name, language }: ResetRequest,
): Promise<void> => {
  const payload = { name: truncateBytes(name.replaceAll('\0', '').toWellFormed().trim(), maxName), language };
  return enqueueJobs({ db: db as Client }, [{ kind: resetJob, payload }]);
};

// Finds the user with the given name, or the only user with the given email address.
const find = statement('user-of-reset', {
  ...modelColumns('User', 'id', 'properties', 'language'),
  hasPassword: 'bool',
})`
  WITH found AS (
    SELECT id, properties, language, password_hash, 1 AS rank FROM "user" WHERE id = $1
    UNION ALL
    SELECT id, properties, language, password_hash, 2 FROM "user"
    WHERE lower(properties ->> 'email') = lower($1) AND id <> $1
  ), best AS (SELECT * FROM found WHERE rank = (SELECT min(rank) FROM found))
  SELECT id, properties, language, password_hash IS NOT NULL AS "hasPassword" FROM best
  WHERE (SELECT count(*) FROM best) = 1`;

type ResetScope = { readonly db: Client } & Using<'config' | 'identityProviders' | 'model' | 'secrets'>;

type FoundUser = RowOf<typeof find>;

/**
 * Returns the email for a user who has asked for a link. Users without a password cannot get one in this way: they are
 * told where they sign in, or get no email if they have not accepted their invitation or if an administrator has
 * removed their password.
 */
async function resetMail(
  scope: ResetScope,
  { id, hasPassword }: FoundUser,
  { token, language }: { readonly token: string; readonly language: Language },
): Promise<MailTemplate | undefined> {
  const { config } = scope.services;
  if (hasPassword) {
    const link = `${config.PUBLIC_URL}${config.CONTEXT_PATH}${resetPath}?token=${token}`;
    return fillMailTemplate('passwordReset', language, { user: id, link });
  }
  const providers = (await signInLabels(scope, id)).join(', ');
  return providers === ''
    ? undefined
    : fillMailTemplate('passwordElsewhere', language, { user: id, providers });
}

/**
 * Emails a password reset link to the user named in a request, unless the user does not exist, has no email address, or
 * was sent a link a short time ago. Users whose password belongs to an identity provider are told so instead.
 * @returns whether an email was queued
 */
export async function sendReset(scope: ResetScope, request: ResetRequest): Promise<boolean> {
  const { db, services } = scope;
  const { config } = services;
  if (!canReset(config) || request.name === '') return false;
  const [user] = await db.query(find, [request.name]);
  const email = (user?.properties as StoredProperties | undefined)?.email;
  if (!user || typeof email !== 'string' || !isMailAddress(email)) return false;
  await lockAuthority(db, 'user', user.id, 'NO KEY UPDATE');
  const sentAt = new Date();
  const where = { userId: user.id };
  const before = await db.prisma.passwordReset.findUnique({ where, select: { sentAt: true } });
  if (before && sentAt.getTime() - before.sentAt.getTime() < interval) return false;

  const token = randomBytes(32).toString('base64url');
  const language = languageNamed(user.language) ?? request.language;
  const mail = await resetMail(scope, user, { token, language });
  if (!mail) return false;
  const data = { tokenHash: tokenHash(token), sentAt };
  await db.prisma.passwordReset.upsert({ where, create: { ...where, ...data }, update: data });
  await queueOwnMail(scope, { to: [email], ...mail });
  const audit = { db, services, user: { id: user.id }, options: { comment: undefined } };
  await recordEvents(audit, [credentialEvent(user.id, { password: 'reset requested' })]);
  return true;
}

const openQuery = statement('open-reset', modelColumns('User', 'id', 'properties'))`
  SELECT u.id, u.properties FROM password_reset r JOIN "user" u ON u.id = r.user_id
  WHERE r.token_hash = $1 AND r.sent_at > now() - make_interval(secs => ${lifetime / 1000})
    AND u.password_hash IS NOT NULL`;

/** The user to whom a password reset link was emailed; null if the link was used or replaced, or has expired. */
export async function userOfReset(
  db: Pick<Client, 'query'>,
  token: string,
): Promise<{ readonly id: string; readonly properties: StoredProperties } | null> {
  const [found] = await db.query(openQuery, [tokenHash(token)]);
  return found ? { id: found.id, properties: found.properties as StoredProperties } : null;
}

/**
 * Sets the password of the user to whom a link was emailed. This revokes all of the user's credentials.
 * @returns the user name
 * @throws NotFound if the link is no longer open; Invalid if the password is refused
 */
export async function resetPassword(
  { services, db }: { readonly db: Session } & Using<'config' | 'model'>,
  {
    token,
    password,
    language,
  }: { readonly token: string; readonly password: string; readonly language: Language },
): Promise<string> {
  const user = await userOfReset(db, token);
  const over = new NotFound('The link has already been used or has expired.');
  if (!user) throw over;
  const refused = refusedPassword(services.config, password, user, language);
  if (refused !== undefined) throw new Invalid(refused);
  // Passwords are hashed one at a time, and a request must not hold a database connection while it waits for its turn.
  const passwordHash = await hashPassword(password);
  return db.transaction(services.config.TRANSACTION_TIMEOUT, async (client) => {
    const { id } = user;
    await lockAuthority(client, 'user', id, 'NO KEY UPDATE');
    // While the password was being hashed, another request may have used the link, or an administrator may have revoked
    // the user's credentials.
    if ((await userOfReset(client, token))?.id !== id) throw over;
    await client.prisma.user.update({ where: { id }, data: { passwordHash }, select: { id: true } });
    await endLocked({ db: client }, id);
    const scope = { db: client, services, user: { id }, options: { comment: undefined } };
    await recordEvents(scope, [credentialEvent(id, { password: 'reset' })]);
    return id;
  });
}
