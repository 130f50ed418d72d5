import { randomBytes } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Client } from '../../db/database.ts';
import { Conflict, Invalid, NotFound, Unauthenticated } from '../../errors.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import type { Scope, Using } from '../../scope.ts';
import type { Secrets } from '../../secrets.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { type AuditScope, recordEvents } from '../audit/audit.ts';
import { credentialEvent } from '../authorities/events.ts';
import { verifyPassword } from '../authorities/passwords.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { type NewTotp, newTotp, stepOfCode } from './totp.ts';

/** The purpose of the key that encrypts the secrets of second factors. */
const purpose = 'second factor';

/** The purpose of the key that encrypts a secret that the user has not confirmed yet. */
const setupPurpose = 'second factor setup';

/** The number of milliseconds within which a new secret must be confirmed with a code. */
const setupLifetime = 15 * 60_000;

/**
 * The maximum number of wrong codes in succession (NIST SP 800-63B, 5.2.2). After that, only a recovery code is
 * accepted, because the limits on failed log-ins do not stop an attacker who has the password, many addresses and time.
 */
const maxWrongCodes = 100;

const recoveryCodeCount = 10;

/** The 32 letters and digits used in recovery codes. Characters that are easily confused are excluded. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz023456789';

/** Creates a recovery code of 80 random bits: `abcd-efgh-jkmn-pqrs`. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => alphabet[byte % 32]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

const recoveryHash = (code: string): string => tokenHash(code.toLowerCase().replace(/[\s-]/g, ''));

/** Replaces the recovery codes of a user. Only their hashes are stored. */
async function replaceRecoveryCodes({ prisma }: Pick<Client, 'prisma'>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await prisma.recoveryCode.deleteMany({ where: { userId } });
  await prisma.recoveryCode.createMany({ data: codes.map((code) => ({ userId, hash: recoveryHash(code) })) });
  return codes;
}

/** A secret that the user has not confirmed yet. It is stored only in the encrypted ticket. */
export interface Setup extends NewTotp {
  readonly ticket: string;
}

/** The name of this server in authenticator apps. */
export const issuerOf = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string =>
  PUBLIC_URL === undefined ? 'Quire' : `Quire (${new URL(PUBLIC_URL).hostname})`;

interface Ticket {
  readonly user: string;
  readonly secret: string;
  readonly until: number;
}

/** Creates the secret of a second factor, which `enableSecondFactor` stores. */
export async function prepareSecondFactor(
  secrets: Pick<Secrets, 'seal'>,
  user: string,
  issuer: string,
): Promise<Setup> {
  const made = await newTotp(issuer, user);
  const ticket: Ticket = { user, secret: made.secret, until: Date.now() + setupLifetime };
  return { ...made, ticket: secrets.seal(setupPurpose, JSON.stringify(ticket)) };
}

/** @throws Invalid if the ticket belongs to another user or has expired */
function secretIn(secrets: Pick<Secrets, 'open'>, user: string, sealed: string): string {
  const text = secrets.open(setupPurpose, sealed);
  const ticket = text === undefined ? undefined : (JSON.parse(text) as Ticket);
  if (ticket?.user !== user || ticket.until < Date.now())
    throw new Invalid('The setup has expired. Begin again.');
  return ticket.secret;
}

type SecondFactorScope = Omit<AuditScope, 'db' | 'services'> & { readonly db: Client } & Using<
    'model' | 'secrets'
  >;

/**
 * Turns on a user's second factor. The user enters a code to prove that an authenticator app has the secret. All
 * sessions end, because they began without a second factor.
 * @returns the recovery codes
 * @throws Invalid for a wrong code or an expired ticket; Conflict if the user already has a second factor
 */
export async function enableSecondFactor(
  scope: SecondFactorScope,
  userId: string,
  { ticket, code }: { readonly ticket: string; readonly code: string },
): Promise<string[]> {
  const { db, services } = scope;
  const secret = secretIn(services.secrets, userId, ticket);
  const step = await stepOfCode(secret, code.replace(/\s/g, ''));
  if (step === undefined)
    throw new Invalid(
      'The code is wrong. Check that the clock of your device is correct, and enter a new code.',
    );
  await lockAuthority(db, 'user', userId, 'NO KEY UPDATE');
  const sealedSecret = services.secrets.seal(purpose, secret);
  const { count } = await db.prisma.secondFactor.createMany({
    data: [{ userId, sealedSecret, lastStep: step }],
    skipDuplicates: true,
  });
  if (count === 0) throw new Conflict(`${userId} already has a second factor.`);
  const codes = await replaceRecoveryCodes(db, userId);
  await db.prisma.session.deleteMany({ where: { userId } });
  await recordEvents(scope, [credentialEvent(userId, { secondFactor: 'on' })]);
  await db.announce('principals');
  return codes;
}

/** The kind of code that a user has entered. */
export type RedeemedCode = 'code' | 'recovery code';

/**
 * Checks a code from an authenticator app, or a recovery code. Each code is accepted only once: a time step must be
 * later than that of the last accepted code, and a recovery code is deleted.
 * @returns undefined if the code is wrong
 * @throws Unauthenticated after too many wrong codes in succession
 */
export async function redeemFactorCode(
  { prisma }: Pick<Client, 'prisma'>,
  secrets: Pick<Secrets, 'open'>,
  userId: string,
  code: string,
): Promise<RedeemedCode | undefined> {
  const [factor] = await prisma.secondFactor.updateManyAndReturn({
    where: { userId },
    data: { wrongCodes: { increment: 1 } },
  });
  if (!factor) return undefined;
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) {
    const { count } = await prisma.recoveryCode.deleteMany({ where: { userId, hash: recoveryHash(code) } });
    if (count === 0) return undefined;
    await prisma.secondFactor.updateMany({ where: { userId }, data: { wrongCodes: 0 } });
    return 'recovery code';
  }
  if (factor.wrongCodes > maxWrongCodes)
    throw new Unauthenticated(
      'Too many wrong codes were entered. Use a recovery code, or ask an administrator to remove the second factor.',
    );
  const secret = secrets.open(purpose, factor.sealedSecret);
  const step = secret === undefined ? undefined : await stepOfCode(secret, digits);
  if (step === undefined) return undefined;
  const { count } = await prisma.secondFactor.updateMany({
    where: { userId, lastStep: { lt: step } },
    data: { lastStep: step, wrongCodes: 0 },
  });
  return count === 1 ? 'code' : undefined;
}

/**
 * Checks the caller's password and a code before the second factor is changed, so that a stolen session is not
 * sufficient to change it.
 * @throws Unauthenticated for a wrong password or code, which counts as a failed log-in; TooManyRequests
 */
async function requireProof(
  { db, services: { attempts, secrets }, user: { id }, options: { address } }: Scope,
  { password, code }: { readonly password: string; readonly code?: string },
): Promise<void> {
  const stored = await db.prisma.user.findUnique({ where: { id }, select: { passwordHash: true } });
  const passwordHash = stored?.passwordHash;
  // The transaction is retried and then finds the result by this key; see `changePassword`.
  const isRight = await db.outside(JSON.stringify(['proof', passwordHash, password]), () =>
    attempts.runCounted(address, id, async () =>
      (await verifyPassword(passwordHash, password)) ? true : undefined,
    ),
  );
  if (!isRight) throw new Unauthenticated('The password is wrong.');
  if (code === undefined) return;
  attempts.requireNotBlocked(address, id);
  if (await redeemFactorCode(db, secrets, id, code)) return;
  attempts.recordFailure(address, id);
  throw new Unauthenticated('The code is wrong or has already been used.');
}

interface SecondFactorProof {
  readonly password: string;
  readonly code: string;
}

/**
 * Turns on the caller's second factor.
 * @returns the recovery codes
 * @throws the errors of `enableSecondFactor`; Unauthenticated
 */
export async function enableOwnSecondFactor(
  scope: Scope,
  { password, ...setup }: SecondFactorProof & { readonly ticket: string },
): Promise<string[]> {
  await requireProof(scope, { password });
  return enableSecondFactor(scope, scope.user.id, setup);
}

/** Replaces the caller's recovery codes. @throws Unauthenticated, TooManyRequests */
export async function renewRecoveryCodes(scope: Scope, proof: SecondFactorProof): Promise<string[]> {
  const { id } = scope.user;
  await requireProof(scope, proof);
  const codes = await replaceRecoveryCodes(scope.db, id);
  await recordEvents(scope, [credentialEvent(id, { created: 'recovery codes' })]);
  return codes;
}

async function turnOff(scope: SecondFactorScope, userId: string): Promise<void> {
  await lockAuthority(scope.db, 'user', userId, 'NO KEY UPDATE');
  const { count } = await scope.db.prisma.secondFactor.deleteMany({ where: { userId } });
  if (count === 0) throw new NotFound(`${userId} has no second factor.`);
  await scope.db.prisma.session.deleteMany({ where: { userId } });
  await recordEvents(scope, [credentialEvent(userId, { secondFactor: 'off' })]);
  await scope.db.announce('principals');
}

/** Turns off the caller's second factor. All sessions end. @throws NotFound, Unauthenticated, TooManyRequests */
export async function disableSecondFactor(scope: Scope, proof: SecondFactorProof): Promise<void> {
  await requireProof(scope, proof);
  await turnOff(scope, scope.user.id);
}

/**
 * Turns off the second factor of a user who has lost it. Only administrators can do this. @throws Forbidden, NotFound
 */
export async function removeSecondFactor(
  scope: SecondFactorScope & Pick<Scope, 'user'>,
  userId: string,
): Promise<void> {
  requireAdministrator(scope.user, 'remove the second factor of another user');
  await turnOff(scope, userId);
}
