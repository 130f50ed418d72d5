import { randomBytes } from 'node:crypto';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid, NotFound } from '../../errors.ts';
import type { OAuth2Token } from '../../generated/prisma/client.ts';
import { type GrantedToken, oauth2TokenPurpose, type TokenPair } from '../../loaders/tokens/oauth2.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import type { Scope, Using } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { recordEvents } from '../audit/audit.ts';
import { credentialEvent } from '../authorities/events.ts';

/** The number of seconds after which an access token expires. */
export const accessLifetime = 3_600;

/** The time in milliseconds at which an access token expires. */
export const endOfAccess = ({ createdAt, endsAt }: Pick<OAuth2Token, 'createdAt' | 'endsAt'>): number =>
  Math.min(createdAt.getTime() + accessLifetime * 1000, endsAt?.getTime() ?? Number.POSITIVE_INFINITY);

/**
 * Creates random tokens. They contain no dots, because the authentication chain treats three parts separated by dots as
 * a JWT.
 */
export const newTokens = (): TokenPair => ({
  accessToken: randomBytes(24).toString('base64url'),
  refreshToken: randomBytes(48).toString('base64url'),
});

/** A grant for which a client receives tokens. */
interface OAuth2Grant extends Pick<GrantedToken, 'clientId' | 'userId'> {
  readonly scope: readonly string[];
  /** The hash of the authorization code that the grant is based on; null for JWT grants. */
  readonly codeHash: string | null;
  /** The time at which the JWT and the tokens issued for it expire; null for authorization code grants. */
  readonly endsAt: Date | null;
}

type TokenStorage = Pick<Scope, 'db'> & Using<'secrets'>;

/**
 * Stores the hashes of the tokens, by which they are found, and the encrypted tokens, which can be shown to
 * administrators.
 */
export async function saveTokens(
  { db, services: { secrets } }: TokenStorage,
  { accessToken, refreshToken }: TokenPair,
  { scope, ...grant }: OAuth2Grant,
): Promise<GrantedToken> {
  const stored = storedPair(secrets, { accessToken, refreshToken });
  const data = { ...grant, ...stored, scope: [...scope], createdAt: new Date() };
  return (await db.prisma.oAuth2Token.create({ data })) as GrantedToken;
}

const storedPair = (secrets: Services['secrets'], { accessToken, refreshToken }: TokenPair) => ({
  accessHash: tokenHash(accessToken),
  accessSealed: secrets.seal(oauth2TokenPurpose, accessToken),
  refreshHash: tokenHash(refreshToken),
  refreshSealed: secrets.seal(oauth2TokenPurpose, refreshToken),
});

/** A token that an administrator creates. */
export interface OwnToken extends Partial<TokenPair> {
  readonly clientId: string | undefined;
  readonly userId: string | undefined;
  readonly createdAt: Date;
}

/**
 * Stores tokens that administrators create. A token without a client or a user does not authenticate anyone.
 * @returns the ids of the tokens
 * @throws Invalid if a client or user does not exist; Conflict if a token already exists
 */
export async function createOwnTokens(
  { db, services: { secrets } }: TokenStorage,
  tokens: readonly OwnToken[],
): Promise<number[]> {
  const { oAuth2Client, oAuth2Token } = db.prisma;
  const names = [...new Set(tokens.flatMap(({ clientId }) => clientId ?? []))];
  const clients = await oAuth2Client.findMany({ where: { clientId: { in: names } } });
  const users = [...new Set(tokens.flatMap(({ userId }) => userId ?? []))];
  const found = await db.prisma.user.findMany({ where: { id: { in: users } }, select: { id: true } });
  const known = new Set(found.map(({ id }) => id));
  const missing = users.find((user) => !known.has(user));
  if (missing !== undefined) throw new Invalid(`nuxeoLogin: there is no user ${missing}`);
  const numbers = new Map(clients.map(({ id, clientId }) => [clientId, id]));
  const data = tokens.map(({ clientId, userId, createdAt, accessToken, refreshToken }) => {
    const number = clientId === undefined ? null : numbers.get(clientId);
    if (number === undefined) throw new Invalid(`clientId: there is no client ${clientId}`);
    const made = newTokens();
    const pair = {
      accessToken: accessToken ?? made.accessToken,
      refreshToken: refreshToken ?? made.refreshToken,
    };
    // A random hash that matches no code. Without it, the pair would be treated as one that a client received for a
    // JWT.
    const codeHash = tokenHash(newTokens().refreshToken);
    return { ...storedPair(secrets, pair), codeHash, clientId: number, userId: userId ?? null, createdAt };
  });
  const rows = await oAuth2Token.createManyAndReturn({ data, skipDuplicates: true, select: { id: true } });
  if (rows.length < data.length)
    throw new Conflict('accessToken, refreshToken: one of the tokens already exists');
  await db.announce('principals');
  return rows.map(({ id }) => id);
}

/** Extends the lifetime of tokens when the client requests them again with a JWT that expires later. */
export async function prolongTokens(
  { db }: Pick<Scope, 'db'>,
  row: GrantedToken,
  endsAt: Date,
): Promise<GrantedToken> {
  if (row.endsAt && row.endsAt >= endsAt) return row;
  await db.announce('principals'); // the caches of principals contain the expiry
  return (await db.prisma.oAuth2Token.update({ where: { id: row.id }, data: { endsAt } })) as GrantedToken;
}

type Which = NonNullable<Parameters<Scope['db']['prisma']['oAuth2Token']['deleteMany']>[0]>['where'];

/**
 * Revokes pairs of tokens.
 * @returns the number of revoked pairs
 */
async function revoke({ db }: Pick<Scope, 'db'>, where: Which): Promise<number> {
  const { count } = await db.prisma.oAuth2Token.deleteMany({ ...(where && { where }) });
  if (count > 0) await db.announce('principals');
  return count;
}

/**
 * Revokes pairs of tokens that may be in the process of being refreshed. The first statement waits for the refresh;
 * only the second one sees the pair that the refresh has committed.
 */
async function revokeRefreshed(scope: Pick<Scope, 'db'>, where: Which): Promise<number> {
  const first = await revoke(scope, where);
  return (await revoke(scope, where)) + first;
}

/**
 * Revokes the pair that a refresh token belongs to.
 * @returns whether it existed
 */
export const revokeRefresh = async (scope: Pick<Scope, 'db'>, refreshToken: string): Promise<boolean> =>
  (await revoke(scope, { refreshHash: tokenHash(refreshToken) })) > 0;

/** Revokes all tokens issued for a code that is used a second time, because the code may have been stolen. */
export const revokeByCode = (scope: Pick<Scope, 'db'>, code: string): Promise<number> =>
  revokeRefreshed(scope, { codeHash: tokenHash(code) });

/** Revokes the tokens that a client received earlier for a user's JWT. Called when the client receives new ones. */
export const revokeAsserted = (
  scope: Pick<Scope, 'db'>,
  { clientId, userId }: Pick<OAuth2Grant, 'clientId' | 'userId'>,
): Promise<number> => revoke(scope, { clientId, userId, codeHash: null });

/**
 * Revokes all tokens that a client has for a user.
 * @returns whether there were any
 */
export async function revokeGrant(
  scope: Scope,
  { username: userId, clientId }: { readonly username: string; readonly clientId: string },
): Promise<boolean> {
  if (userId.includes('\0') || clientId.includes('\0')) return false; // PostgreSQL cannot store a NUL character
  if ((await revokeRefreshed(scope, { userId, client: { clientId } })) === 0) return false;
  await recordEvents(scope, [credentialEvent(userId, { ended: 'grant', application: clientId })]);
  return true;
}

/** Deletes tokens. @throws NotFound */
export async function deleteTokens(scope: Pick<Scope, 'db'>, ids: readonly number[]): Promise<void> {
  const possible = ids.filter((id) => id > 0 && id < 2 ** 31);
  if ((await revoke(scope, { id: { in: possible } })) < ids.length) {
    throw new NotFound(`There is no OAuth token ${ids.join(', ')}.`);
  }
}

const moveQuery = statement('move-oauth2-tokens')`
  UPDATE oauth2_token t SET created_at = n.created_at
  FROM unnest($1::int[], $2::timestamptz[]) AS n (id, created_at) WHERE t.id = n.id`;

/** Changes the creation dates of locked tokens, which determine when the tokens expire. */
export async function setTokenDates(
  { db }: Pick<Scope, 'db'>,
  moves: ReadonlyArray<{ id: number; createdAt: Date }>,
): Promise<void> {
  await db.query(moveQuery, [
    moves.map(({ id }) => id),
    moves.map(({ createdAt }) => createdAt.toISOString()),
  ]);
  await db.announce('principals');
}
