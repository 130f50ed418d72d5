import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import type { OAuth2Client, OAuth2Token } from '../../generated/prisma/client.ts';
import type { Scope, Using } from '../../scope.ts';
import { tokenHash } from './token-hash.ts';

export type OAuth2ClientRow = OAuth2Client;
/**
 * A token pair that authenticates a user. Pairs that administrators have created without a client or a user do not
 * authenticate anyone.
 */
export type GrantedToken = OAuth2Token & { readonly clientId: number; readonly userId: string };
export type OAuth2TokenRow = GrantedToken & { readonly client: OAuth2ClientRow };

const granted = { clientId: { not: null }, userId: { not: null } } as const;

/** Reads all OAuth clients, or only the one with the given client id. */
export const findOAuth2Clients =
  ({ db }: Scope): ((clientId?: string) => Promise<OAuth2ClientRow[]>) =>
  async (clientId) => {
    if (clientId?.includes('\0')) return []; // PostgreSQL cannot store NUL characters in strings
    const where = clientId === undefined ? {} : { clientId };
    return db.prisma.oAuth2Client.findMany({ where, orderBy: { id: 'asc' } });
  };

interface OAuth2TokenFilter {
  readonly username?: string | undefined;
  readonly clientId?: string | undefined;
}

/** Reads granted tokens along with their clients, oldest first. */
export const findOAuth2Tokens =
  ({ db }: Scope): ((by: OAuth2TokenFilter) => Promise<OAuth2TokenRow[]>) =>
  async ({ username, clientId }) => {
    // PostgreSQL cannot store NUL characters in strings.
    if (username?.includes('\0') || clientId?.includes('\0')) return [];
    const rows = await db.prisma.oAuth2Token.findMany({
      where: {
        ...granted,
        ...(username !== undefined && { userId: username }),
        ...(clientId !== undefined && { client: { clientId } }),
      },
      include: { client: true },
      orderBy: { id: 'asc' },
    });
    return rows as OAuth2TokenRow[];
  };

type Prisma = Pick<Client, 'prisma'>;

export const findEnabledClient = ({ prisma }: Prisma, clientId: string): Promise<OAuth2ClientRow | null> =>
  clientId.includes('\0')
    ? Promise.resolve(null) // PostgreSQL cannot store NUL characters in strings
    : prisma.oAuth2Client.findFirst({ where: { clientId, enabled: true } });

const accessTokenQuery = statement('access-token', {
  ...modelColumns('OAuth2Token', 'id', 'createdAt', 'endsAt', 'scope'),
  userId: 'text',
  application: modelColumns('OAuth2Client', 'name').name,
})`
  SELECT t.id, t.user_id AS "userId", t.created_at AS "createdAt", t.ends_at AS "endsAt", t.scope,
    coalesce(nullif(c.name, ''), c.client_id) AS application
  FROM oauth2_token t JOIN oauth2_client c ON c.id = t.client_id AND c.enabled
  WHERE t.access_hash = $1 AND t.user_id IS NOT NULL`;

/**
 * Finds a granted token by its access token, along with the name of its client; returns undefined if the client is
 * disabled.
 */
export async function findAccessToken(
  db: Pick<Client, 'query'>,
  token: string,
): Promise<RowOf<typeof accessTokenQuery> | undefined> {
  const [row] = await db.query(accessTokenQuery, [tokenHash(token)]);
  return row;
}

export const findRefreshToken = ({ prisma }: Prisma, token: string): Promise<GrantedToken | null> =>
  prisma.oAuth2Token.findFirst({
    where: {
      ...granted,
      refreshHash: tokenHash(token),
      OR: [{ endsAt: null }, { endsAt: { gt: new Date() } }],
    },
  }) as Promise<GrantedToken | null>;

/** Finds the most recent token pair that a client received for a user's JWT. */
export const findAssertedToken = (
  { prisma }: Prisma,
  owner: Pick<GrantedToken, 'clientId' | 'userId'>,
): Promise<GrantedToken | null> =>
  prisma.oAuth2Token.findFirst({
    where: { ...owner, codeHash: null },
    orderBy: { id: 'desc' },
  }) as Promise<GrantedToken | null>;

export const oauth2TokenPurpose = 'oauth2 token';

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Decrypts the tokens of a pair; returns undefined if they were encrypted with another TOKEN_KEY. */
export function decryptTokens(
  { services: { secrets } }: Using<'secrets'>,
  { accessSealed, refreshSealed }: Pick<OAuth2Token, 'accessSealed' | 'refreshSealed'>,
): TokenPair | undefined {
  const accessToken = secrets.open(oauth2TokenPurpose, accessSealed);
  const refreshToken = secrets.open(oauth2TokenPurpose, refreshSealed);
  if (accessToken === undefined || refreshToken === undefined) return undefined;
  return { accessToken, refreshToken };
}
