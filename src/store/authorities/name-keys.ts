import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { authorityRow } from '../../loaders/authorities/authorities.ts';
import { typoKeysOfNames } from '../../loaders/authorities/similar-users.ts';

/** The maximum number of rows that one statement changes, and that its transaction therefore locks. */
const batchSize = 5_000;

const unfilled = statement('users-without-typo-keys', authorityRow)`
  SELECT id, coalesce(properties, '{}') AS properties FROM "user" WHERE typo_keys IS NULL LIMIT ${batchSize}`;

const fill = statement('fill-typo-keys-of-users')`
  UPDATE "user" u SET typo_keys = string_to_array(input.keys, ' ')
  FROM unnest($1::text[], $2::text[]) AS input (id, keys) WHERE u.id = input.id AND u.typo_keys IS NULL`;

/**
 * Sets the typo keys of users who have none, because an older build created their rows or the rows come from a restored
 * backup. If there are no such rows, this costs one index lookup.
 */
export async function fillTypoKeys({ query }: Pick<Client, 'query'>): Promise<void> {
  for (;;) {
    const users = await query(unfilled, []);
    if (users.length === 0) break;
    await query(fill, [users.map(({ id }) => id), users.map((user) => typoKeysOfNames(user).join(' '))]);
  }
}
