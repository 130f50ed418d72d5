import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../errors.ts';
import type { OAuth2Client, OAuth2Token, Prisma } from '../generated/prisma/client.ts';
import type { StoredValue } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import { deleteTokens, hashOf, moveTokens, tokensOf } from '../store/oauth2-tokens.ts';
import { type NumberedTable, numberedReads } from './numbered.ts';
import type { DirectorySource, Entry } from './source.ts';

const directory = 'oauth2Tokens';

type Row = OAuth2Token & { readonly client: OAuth2Client };

/** A pair of tokens as an entry, decrypted: the directory is for administrators alone. */
function entryOf(scope: Pick<Scope, 'secrets'>, row: Row): Entry {
  const { id, client, userId, createdAt } = row;
  const of = { clientId: client.clientId, nuxeoLogin: userId, creationDate: createdAt.toISOString() };
  return { directory, id: String(id), properties: { ...tokensOf(scope, row), ...of } };
}

const conditions: Readonly<Record<string, (text: string) => Prisma.OAuth2TokenWhereInput>> = {
  accessToken: (token) => ({ accessHash: hashOf(token) }),
  refreshToken: (token) => ({ refreshHash: hashOf(token) }),
  clientId: (clientId) => ({ client: { clientId } }),
  nuxeoLogin: (userId) => ({ userId }),
  creationDate: (date) => ({ createdAt: new Date(date) }),
};

const condition = (field: string, value: StoredValue): Prisma.OAuth2TokenWhereInput | undefined =>
  Object.hasOwn(conditions, field) && typeof value === 'string' ? conditions[field]?.(value) : undefined;

const rows: NumberedTable<Row, Prisma.OAuth2TokenWhereInput> = {
  ...{ directory, table: 'oauth2_token', condition, entry: entryOf },
  ids: (id) => ({ id }),
  and: (AND) => ({ AND }),
  read: ({ db }, which) =>
    db.prisma.oAuth2Token.findMany({ ...which, include: { client: true }, orderBy: { id: 'asc' } }),
  count: ({ db }, where) => db.prisma.oAuth2Token.count({ where }),
};

const reads = numberedReads(rows);

/** §5: what applications were granted. They are looked up, made older or younger, and deleted; made they are elsewhere. */
export const oauth2Tokens: DirectorySource = {
  ...reads,
  create: () => {
    throw new Invalid('tokens are made by /oauth2/token alone');
  },
  update: async (scope, _, entries) => {
    const known = new Map((await reads.find(scope, entries)).map(({ id, properties }) => [id, properties]));
    const moves = entries.map(({ id, properties }) => {
      const { creationDate, ...fixed } = properties;
      const { creationDate: old, ...before } = known.get(id) ?? {};
      if (!isDeepStrictEqual(fixed, before))
        throw new Invalid('of a token only the creationDate can be changed');
      if (typeof creationDate !== 'string') throw new Invalid('creationDate: is missing');
      return { id: Number(id), createdAt: new Date(creationDate) };
    });
    await moveTokens(scope, moves);
    return entries;
  },
  delete: (scope, _, entries) =>
    deleteTokens(
      scope,
      entries.map(({ id }) => Number(id)),
    ),
};
