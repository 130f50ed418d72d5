import { statement } from '../../db/statement.ts';
import { type UserRow, usersById } from '../../loaders/authorities/authorities.ts';
import { mentionedUsers, readersAmong } from '../../loaders/comments/mentions.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { concern } from '../../model/inbox.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';

/** The people whom a comment concerns personally. All of them can read the document, and none is the caller. */
export interface Concerned {
  /** The users whom the text mentions. */
  readonly mentioned: readonly UserRow[];
  /** The authors of the comments above a new reply, except those whom the text mentions. */
  readonly answered: readonly UserRow[];
}

const authors = statement('comment-authors', { author: 'text?' })`
  SELECT DISTINCT properties ->> 'comment:author' AS author FROM document
  WHERE repository = $1 AND id = ANY($2::uuid[])`;

async function authorsOf(
  { db, options }: Scope,
  users: ReturnType<typeof usersById>,
  comments: readonly string[],
): Promise<UserRow[]> {
  if (comments.length === 0) return [];
  const rows = await db.query(authors, [options.repository, comments]);
  const found = await users.loadMany(rows.flatMap(({ author }) => author ?? []));
  return found.filter((user): user is UserRow => user !== null && !(user instanceof Error));
}

/**
 * Finds the people whom a new or changed comment concerns.
 * @param properties the properties of the comment after the change
 * @param before the former text; its mentions do not count again
 * @param above the ids of the comments to which a new comment replies
 */
export async function concernedBy(
  scope: Scope,
  document: DocumentRow,
  properties: StoredProperties,
  { before, above = [] }: { readonly before?: unknown; readonly above?: readonly string[] } = {},
): Promise<Concerned> {
  const users = usersById(scope);
  const isOther = ({ id }: UserRow) => id !== scope.user.id;
  const mentionedIn = (text: unknown) => mentionedUsers(users, text, scope.user.id);
  const known = new Set((await mentionedIn(before)).map(({ id }) => id));
  const named = (await mentionedIn(properties['comment:text'])).filter(({ id }) => !known.has(id));
  const asked = await readersAmong(scope, document, named.filter(isOther));
  const names = new Set(asked.map(({ id }) => id));
  const others = (await authorsOf(scope, users, above)).filter(
    (user) => isOther(user) && !names.has(user.id),
  );
  return { mentioned: asked, answered: await readersAmong(scope, document, others) };
}

/** The people whom a comment concerns, as the log stores them. */
export const concernsIn = ({ mentioned, answered }: Concerned): string[] => [
  ...mentioned.map(({ id }) => concern('mention', id)),
  ...answered.map(({ id }) => concern('reply', id)),
];
