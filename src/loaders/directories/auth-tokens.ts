import { MAX as lastId } from 'uuid';
import type { LoginToken, Prisma } from '../../generated/prisma/client.ts';
import { isUuid } from '../../model/names.ts';
import type { StoredValue } from '../../model/values/stored.ts';
import { asTimestamp } from '../../model/values/timestamp.ts';
import { loginTokensNamed } from '../tokens/login-tokens.ts';
import { tokenHash } from '../tokens/token-hash.ts';
import { type DedicatedTable, listFromTable } from './dedicated-table.ts';
import type { EntrySource, StoredEntry } from './source.ts';

const directory = 'authTokens';

type Where = Prisma.LoginTokenWhereInput;

/**
 * Presents a row as a directory entry. The tokens themselves are not stored, so the id of an entry is the id of its
 * row, or the token with which a client looked it up.
 */
function entryOf(row: LoginToken, id = row.id): StoredEntry {
  const { userId: userName, application: applicationName, createdAt } = row;
  const { deviceId, deviceDescription, permission } = row;
  const of = { userName, applicationName, deviceId, deviceDescription, permission };
  return { directory, id, properties: { ...of, creationDate: createdAt.toISOString() } };
}

const conditions: Readonly<Record<string, (text: string) => Where>> = {
  userName: (userId) => ({ userId }),
  applicationName: (application) => ({ application }),
  deviceId: (deviceId) => ({ deviceId }),
  deviceDescription: (deviceDescription) => ({ deviceDescription }),
  permission: (permission) => ({ permission }),
  creationDate: (date) => ({ createdAt: new Date(asTimestamp(date)) }),
};

const condition = (field: string, value: StoredValue): Where | undefined =>
  Object.hasOwn(conditions, field) && typeof value === 'string' ? conditions[field]?.(value) : undefined;

const table: DedicatedTable<LoginToken, Where> = {
  directory,
  condition,
  entry: (_, row) => entryOf(row),
  rowsAfter: ({ id }) => ({ id: { gt: isUuid(id) ? id : lastId } }),
  allOf: (AND) => ({ AND }),
  read: ({ db }, options) => db.prisma.loginToken.findMany({ ...options, orderBy: { id: 'asc' } }),
  count: ({ db }, where) => db.prisma.loginToken.count({ where }),
};

/** The tokens with which devices log in on behalf of their users (§5). */
export const authTokenSource: EntrySource = {
  list: listFromTable(table),
  find: async ({ db }, keys) => {
    const ids = keys.map(({ id }) => id).filter(isUuid);
    if (ids.length === 0) return [];
    const found = await db.prisma.loginToken.findMany({ where: loginTokensNamed(ids) });
    const byName = new Map(found.flatMap((row) => [row.id, row.hash].map((name) => [name, row] as const)));
    return ids.flatMap((id) => {
      const row = byName.get(id.toLowerCase()) ?? byName.get(tokenHash(id));
      return row ? [entryOf(row, id)] : [];
    });
  },
};
