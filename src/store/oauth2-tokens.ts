import { createHash, randomBytes } from 'node:crypto';
import type { Query } from '../db/database.ts';
import { NotFound } from '../errors.ts';
import type { OAuth2Token } from '../generated/prisma/client.ts';
import type { Scope } from '../scope.ts';

/** Seconds that an access token counts. */
export const accessLifetime = 3_600;

/** How a code or token is found. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** When an access token ends, in milliseconds since 1970. */
export const endOfAccess = ({ createdAt }: Pick<OAuth2Token, 'createdAt'>): number =>
  createdAt.getTime() + accessLifetime * 1000;

/** An access token of 32 letters and a refresh token of 64; neither has a dot, as a JWT would. */
export const newTokens = () => ({
  accessToken: randomBytes(24).toString('base64url'),
  refreshToken: randomBytes(48).toString('base64url'),
});

export type TokenPair = ReturnType<typeof newTokens>;

const purpose = 'oauth2 token';

/** What a grant is for, and what it came from. */
export interface Grant {
  readonly clientId: number;
  readonly userId: string;
  readonly scope: readonly string[];
  /** The code that it began with; none when there was a JWT instead. */
  readonly codeHash: string | null;
}

type Keeping = Pick<Scope, 'db' | 'secrets'>;

/** Keeps a new pair of tokens: hashes to find them, and their encrypted selves for administrators. */
export async function saveTokens(
  { db, secrets }: Keeping,
  { accessToken, refreshToken }: TokenPair,
  { scope, ...grant }: Grant,
): Promise<OAuth2Token> {
  return db.prisma.oAuth2Token.create({
    data: {
      ...grant,
      scope: [...scope],
      accessHash: hashOf(accessToken),
      accessSealed: secrets.seal(purpose, accessToken),
      refreshHash: hashOf(refreshToken),
      refreshSealed: secrets.seal(purpose, refreshToken),
      createdAt: new Date(),
    },
  });
}

/** The tokens of a row; nothing when they were encrypted under another TOKEN_KEY. */
export function tokensOf(
  { secrets }: Pick<Scope, 'secrets'>,
  { accessSealed, refreshSealed }: Pick<OAuth2Token, 'accessSealed' | 'refreshSealed'>,
): TokenPair | undefined {
  const accessToken = secrets.open(purpose, accessSealed);
  const refreshToken = secrets.open(purpose, refreshSealed);
  if (accessToken === undefined || refreshToken === undefined) return undefined;
  return { accessToken, refreshToken };
}

type Which = NonNullable<Parameters<Scope['db']['prisma']['oAuth2Token']['deleteMany']>[0]>['where'];

/** Revokes tokens; answers how many. */
async function revoke({ db }: Pick<Scope, 'db'>, where: Which): Promise<number> {
  const { count } = await db.prisma.oAuth2Token.deleteMany({ ...(where && { where }) });
  if (count > 0) await db.announce('principals');
  return count;
}

/** Revokes the pair of a refresh token; false when somebody did before. */
export const revokeRefresh = async (scope: Pick<Scope, 'db'>, refreshToken: string): Promise<boolean> =>
  (await revoke(scope, { refreshHash: hashOf(refreshToken) })) > 0;

/** Revokes everything that was made from a code: who shows it a second time has it from somebody else, or gave it. */
export const revokeMadeFrom = (scope: Pick<Scope, 'db'>, code: string): Promise<number> =>
  revoke(scope, { codeHash: hashOf(code) });

/** Revokes what a client got for JWTs of a user: a new pair takes their place. */
export const revokeAsserted = (
  scope: Pick<Scope, 'db'>,
  { clientId, userId }: Pick<Grant, 'clientId' | 'userId'>,
): Promise<number> => revoke(scope, { clientId, userId, codeHash: null });

/** Revokes everything that a client has of a user; whether there was anything. */
export async function revokeGrant(
  scope: Pick<Scope, 'db'>,
  { username: userId, clientId }: { readonly username: string; readonly clientId: string },
): Promise<boolean> {
  if (userId.includes('\0') || clientId.includes('\0')) return false; // PostgreSQL has no text with NUL
  const where = { userId, client: { clientId } };
  // Whoever is changing a pair for a new one is waited for by the first statement, and found by the second alone.
  const first = await revoke(scope, where);
  return (await revoke(scope, where)) + first > 0;
}

/** Revokes pairs by their ids. @throws NotFound */
export async function deleteTokens(scope: Pick<Scope, 'db'>, ids: readonly number[]): Promise<void> {
  const possible = ids.filter((id) => id > 0 && id < 2 ** 31);
  if ((await revoke(scope, { id: { in: possible } })) < ids.length) {
    throw new NotFound(`there is no OAuth token ${ids.join(', ')}`);
  }
}

const moveQuery: Query = {
  name: 'move-oauth2-tokens',
  text: `
    UPDATE oauth2_token t SET created_at = n.created_at
    FROM unnest($1::int[], $2::timestamptz[]) AS n (id, created_at) WHERE t.id = n.id`,
};

/** Lets pairs, which are there and held, count as made at other times. */
export async function moveTokens(
  { db }: Pick<Scope, 'db'>,
  moves: ReadonlyArray<{ id: number; createdAt: Date }>,
): Promise<void> {
  await db.query(moveQuery, [
    moves.map(({ id }) => id),
    moves.map(({ createdAt }) => createdAt.toISOString()),
  ]);
  await db.announce('principals');
}
