import { validate as isUuid, MAX as lastId } from 'uuid';
import { Invalid } from '../errors.ts';
import type { LoginToken, Prisma } from '../generated/prisma/client.ts';
import type { StoredValue } from '../model/stored.ts';
import { deleteLoginTokens, tokenHash } from '../store/login-tokens.ts';
import { listOf, type OwnTable } from './own-table.ts';
import type { DirectorySource, Entry } from './source.ts';

const directory = 'authTokens';

type Where = Prisma.LoginTokenWhereInput;

/** A token as an entry. Itself it is nowhere: the id of its row stands in its place, unless it was asked for by itself. */
function entryOf(row: LoginToken, id = row.id): Entry {
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
  creationDate: (date) => ({ createdAt: new Date(date) }),
};

const condition = (field: string, value: StoredValue): Where | undefined =>
  Object.hasOwn(conditions, field) && typeof value === 'string' ? conditions[field]?.(value) : undefined;

const rows: OwnTable<LoginToken, Where> = {
  ...{ directory, condition, entry: (_, row) => entryOf(row) },
  behind: ({ id }) => ({ id: { gt: isUuid(id) ? id : lastId } }),
  and: (AND) => ({ AND }),
  read: ({ db }, which) => db.prisma.loginToken.findMany({ ...which, orderBy: { id: 'asc' } }),
  count: ({ db }, where) => db.prisma.loginToken.count({ where }),
};

/** The tokens of these ids, and those that these are themselves: both are UUIDs, and never the same. */
const called = (ids: readonly string[]): Where => ({
  OR: [{ id: { in: [...ids] } }, { hash: { in: ids.map(tokenHash) } }],
});

const find: DirectorySource['find'] = async ({ db }, keys, how) => {
  const ids = keys.map(({ id }) => id).filter(isUuid);
  if (ids.length === 0) return [];
  if (how) {
    const name = `hold-login-token-${how.toLowerCase().replace(' ', '-')}`;
    const text = `
      SELECT FROM login_token WHERE id = ANY($1::uuid[]) OR hash = ANY($2::text[]) ORDER BY id FOR ${how}`;
    await db.query({ name, text }, [ids, ids.map(tokenHash)]);
  }
  const found = await db.prisma.loginToken.findMany({ where: called(ids) });
  const named = new Map(found.flatMap((row) => [row.id, row.hash].map((name) => [name, row] as const)));
  return ids.flatMap((id) => {
    const row = named.get(id) ?? named.get(tokenHash(id));
    return row ? [entryOf(row, id)] : [];
  });
};

/** §5: by what devices log in for their users. Tokens are listed, looked up and revoked; made they are elsewhere. */
export const authTokens: DirectorySource = {
  ...{ list: listOf(rows), find },
  create: () => {
    throw new Invalid('login tokens are made by /authentication/token alone');
  },
  update: () => {
    throw new Invalid('a login token cannot be changed, only revoked');
  },
  delete: async (scope, _, entries) => {
    const where = called(entries.map(({ id }) => id));
    const rows = await scope.db.prisma.loginToken.findMany({ where, select: { id: true } });
    await deleteLoginTokens(
      scope,
      rows.map(({ id }) => id),
    );
  },
};
