import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { StoredProperties } from '../../model/values/stored.ts';

/** A user as the command line lists it. */
interface ListedUser {
  readonly id: string;
  readonly properties: StoredProperties;
  readonly hasPassword: boolean;
  /** The ids of the groups that have the user as a direct member. */
  readonly groups: readonly string[];
}

const usersPerPage = 500;

const pageQuery = statement('page-of-all-users', {
  ...modelColumns('User', 'id'),
  properties: typed<StoredProperties>('jsonb'),
  hasPassword: 'bool',
  groups: 'text[]',
})`
  SELECT u.id, u.properties, u.password_hash IS NOT NULL AS "hasPassword",
    ARRAY(SELECT m.group_id FROM user_membership m WHERE m.member_id = u.id ORDER BY m.group_id) AS groups
  FROM "user" u WHERE u.id > $1 ORDER BY u.id LIMIT ${usersPerPage}`;

/** Reads all users in the order of their ids, page by page, without a permission check. For the command line. */
export async function* allUsers(db: Pick<Client, 'query'>): AsyncGenerator<ListedUser[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: ListedUser[] = await db.query(pageQuery, [after]);
    yield page;
    after = page.length < usersPerPage ? undefined : page.at(-1)?.id;
  }
}
