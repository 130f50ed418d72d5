import type { Prisma } from '../../generated/prisma/client.ts';
import type { StoredValue } from '../../model/values/stored.ts';
import { asTimestamp } from '../../model/values/timestamp.ts';
import { decryptTokens } from '../tokens/oauth2.ts';
import { tokenHash } from '../tokens/token-hash.ts';
import { numberedSource } from './numbered-table.ts';

const directory = 'oauth2Tokens';

const conditions: Readonly<Record<string, (text: string) => Prisma.OAuth2TokenWhereInput>> = {
  accessToken: (token) => ({ accessHash: tokenHash(token) }),
  refreshToken: (token) => ({ refreshHash: tokenHash(token) }),
  clientId: (clientId) => ({ client: { clientId } }),
  nuxeoLogin: (userId) => ({ userId }),
  creationDate: (date) => ({ createdAt: new Date(asTimestamp(date)) }),
};

const condition = (field: string, value: StoredValue): Prisma.OAuth2TokenWhereInput | undefined =>
  Object.hasOwn(conditions, field) && typeof value === 'string' ? conditions[field]?.(value) : undefined;

/**
 * The tokens of applications to which users have granted access (§5). They are returned decrypted, which is why only
 * administrators can read this directory.
 */
export const oauth2TokenSource = numberedSource<
  Prisma.OAuth2TokenGetPayload<{ include: { client: true } }>,
  Prisma.OAuth2TokenWhereInput
>({
  directory,
  condition,
  whereIds: (id) => ({ id }),
  allOf: (AND) => ({ AND }),
  read: ({ db }, options) =>
    db.prisma.oAuth2Token.findMany({ ...options, include: { client: true }, orderBy: { id: 'asc' } }),
  count: ({ db }, where) => db.prisma.oAuth2Token.count({ where }),
  entry: (scope, row) => {
    const { id, client, userId, createdAt } = row;
    const of = {
      ...(client && { clientId: client.clientId }),
      ...(userId !== null && { nuxeoLogin: userId }),
      creationDate: createdAt.toISOString(),
    };
    return { directory, id: String(id), properties: { ...decryptTokens(scope, row), ...of } };
  },
});
