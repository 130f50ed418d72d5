import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { StoredProperties } from '../../model/values/stored.ts';

/** A user with what the command line lists. */
interface ListedUser {
  readonly id: string;
  readonly properties: StoredProperties;
  readonly hasPassword: boolean;
  /** Those that the user is in directly, by id. */
  readonly groups: readonly string[];
}

const usersOfPage = 500;

const pageQuery = statement('page-of-all-users', {
  ...modelColumns('User', 'id'),
  properties: typed<StoredProperties>('jsonb'),
  hasPassword: 'bool',
  groups: 'text[]',
})`
  SELECT u.id, u.properties, u.password_hash IS NOT NULL AS "hasPassword",
    ARRAY(SELECT m.group_id FROM user_membership m WHERE m.member_id = u.id ORDER BY m.group_id) AS groups
  FROM "user" u WHERE u.id > $1 ORDER BY u.id LIMIT ${usersOfPage}`;

/** All users by id, a page at a time; for the command line, without a check of permissions. */
export async function* allUsers(db: Pick<Client, 'query'>): AsyncGenerator<ListedUser[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: ListedUser[] = await db.query(pageQuery, [after]);
    yield page;
    after = page.length < usersOfPage ? undefined : page.at(-1)?.id;
  }
}
