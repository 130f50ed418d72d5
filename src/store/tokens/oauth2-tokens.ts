import { randomBytes } from 'node:crypto';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid, NotFound } from '../../errors.ts';
import type { OAuth2Token } from '../../generated/prisma/client.ts';
import { type GrantedToken, oauth2TokenPurpose, type TokenPair } from '../../loaders/tokens/oauth2.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import type { Scope, Using } from '../../scope.ts';
import type { Services } from '../../services.ts';

export const accessLifetime = 3_600;

export const endOfAccess = ({ createdAt, endsAt }: Pick<OAuth2Token, 'createdAt' | 'endsAt'>): number =>
  Math.min(createdAt.getTime() + accessLifetime * 1000, endsAt?.getTime() ?? Number.POSITIVE_INFINITY);

/** Letters without dots: the authentication chain takes a value of three dotted parts for a JWT. */
export const newTokens = (): TokenPair => ({
  accessToken: randomBytes(24).toString('base64url'),
  refreshToken: randomBytes(48).toString('base64url'),
});

interface OAuth2Grant extends Pick<GrantedToken, 'clientId' | 'userId'> {
  readonly scope: readonly string[];
  /** The authorization code of the grant; absent for grants by JWT. */
  readonly codeHash: string | null;
  /** The end of the JWT, with which all ends that it brought forth; absent for grants by code. */
  readonly endsAt: Date | null;
}

type Keeping = Pick<Scope, 'db'> & Using<'secrets'>;

/** Stores hashes to find the tokens by, and the encrypted tokens for administrators. */
export async function saveTokens(
  { db, services: { secrets } }: Keeping,
  { accessToken, refreshToken }: TokenPair,
  { scope, ...grant }: OAuth2Grant,
): Promise<GrantedToken> {
  const kept = keptPair(secrets, { accessToken, refreshToken });
  const data = { ...grant, ...kept, scope: [...scope], createdAt: new Date() };
  return (await db.prisma.oAuth2Token.create({ data })) as GrantedToken;
}

const keptPair = (secrets: Services['secrets'], { accessToken, refreshToken }: TokenPair) => ({
  accessHash: tokenHash(accessToken),
  accessSealed: secrets.seal(oauth2TokenPurpose, accessToken),
  refreshHash: tokenHash(refreshToken),
  refreshSealed: secrets.seal(oauth2TokenPurpose, refreshToken),
});

export interface OwnToken extends Partial<TokenPair> {
  readonly clientId: string | undefined;
  readonly userId: string | undefined;
  readonly createdAt: Date;
}

/**
 * Tokens that administrators make. One without a client or a user signs no user in.
 * @returns their ids. @throws Invalid without such a client or user; Conflict when a token is taken.
 */
export async function createOwnTokens(
  { db, services: { secrets } }: Keeping,
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
    // No code has this hash: the pair is not one that a client got for a JWT.
    const codeHash = tokenHash(newTokens().refreshToken);
    return { ...keptPair(secrets, pair), codeHash, clientId: number, userId: userId ?? null, createdAt };
  });
  const rows = await oAuth2Token.createManyAndReturn({ data, skipDuplicates: true, select: { id: true } });
  if (rows.length < data.length) throw new Conflict('accessToken, refreshToken: such a token exists already');
  await db.announce('principals');
  return rows.map(({ id }) => id);
}

/** Tokens that a client asks for again, by a later JWT, last as long as that one. */
export async function prolongTokens(
  { db }: Pick<Scope, 'db'>,
  row: GrantedToken,
  endsAt: Date,
): Promise<GrantedToken> {
  if (row.endsAt && row.endsAt >= endsAt) return row;
  await db.announce('principals'); // which remember the end
  return (await db.prisma.oAuth2Token.update({ where: { id: row.id }, data: { endsAt } })) as GrantedToken;
}

type Which = NonNullable<Parameters<Scope['db']['prisma']['oAuth2Token']['deleteMany']>[0]>['where'];

/** @returns the number of revoked pairs. */
async function revoke({ db }: Pick<Scope, 'db'>, where: Which): Promise<number> {
  const { count } = await db.prisma.oAuth2Token.deleteMany({ ...(where && { where }) });
  if (count > 0) await db.announce('principals');
  return count;
}

/** The first statement waits for a concurrent refresh; only the second one sees what that has committed. */
async function revokeRefreshed(scope: Pick<Scope, 'db'>, where: Which): Promise<number> {
  const first = await revoke(scope, where);
  return (await revoke(scope, where)) + first;
}

export const revokeRefresh = async (scope: Pick<Scope, 'db'>, refreshToken: string): Promise<boolean> =>
  (await revoke(scope, { refreshHash: tokenHash(refreshToken) })) > 0;

/** A code that is used twice was stolen, so all tokens made from it are revoked. */
export const revokeByCode = (scope: Pick<Scope, 'db'>, code: string): Promise<number> =>
  revokeRefreshed(scope, { codeHash: tokenHash(code) });

/** A new pair replaces those that a client got for JWTs of a user. */
export const revokeAsserted = (
  scope: Pick<Scope, 'db'>,
  { clientId, userId }: Pick<OAuth2Grant, 'clientId' | 'userId'>,
): Promise<number> => revoke(scope, { clientId, userId, codeHash: null });

/** @returns whether the user had granted the client anything. */
export async function revokeGrant(
  scope: Pick<Scope, 'db'>,
  { username: userId, clientId }: { readonly username: string; readonly clientId: string },
): Promise<boolean> {
  if (userId.includes('\0') || clientId.includes('\0')) return false; // PostgreSQL has no text with NUL
  return (await revokeRefreshed(scope, { userId, client: { clientId } })) > 0;
}

/** @throws NotFound */
export async function deleteTokens(scope: Pick<Scope, 'db'>, ids: readonly number[]): Promise<void> {
  const possible = ids.filter((id) => id > 0 && id < 2 ** 31);
  if ((await revoke(scope, { id: { in: possible } })) < ids.length) {
    throw new NotFound(`there is no OAuth token ${ids.join(', ')}`);
  }
}

const moveQuery = statement('move-oauth2-tokens')`
  UPDATE oauth2_token t SET created_at = n.created_at
  FROM unnest($1::int[], $2::timestamptz[]) AS n (id, created_at) WHERE t.id = n.id`;

/** Changes the creation dates of locked pairs, from which their expiry counts. */
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
