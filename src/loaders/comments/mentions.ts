import type DataLoader from 'dataloader';
import { possibleMentions } from '../../model/comments/mentions.ts';
import type { Scope } from '../../scope.ts';
import { isGuest } from '../../security/acl.ts';
import { principals } from '../../security/principal.ts';
import { createAccess, readPermissionFor } from '../acls/access.ts';
import type { UserRow } from '../authorities/authorities.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/**
 * Returns the users whom a text mentions, in the order of their first mention, with one statement. Guests mention
 * nobody, because the answer would tell them which users exist.
 */
export async function mentionedUsers(
  users: DataLoader<string, UserRow | null>,
  text: unknown,
  author: string,
): Promise<UserRow[]> {
  if (typeof text !== 'string' || isGuest(author)) return [];
  const mentions = possibleMentions(text);
  if (mentions.length === 0) return [];
  const found = await users.loadMany([...new Set(mentions.flat())]);
  const byId = new Map(
    found.flatMap((user) => (user === null || user instanceof Error ? [] : [[user.id, user] as const])),
  );
  const mentioned = mentions.flatMap((names) => names.flatMap((name) => byId.get(name) ?? []).slice(0, 1));
  return [...new Set(mentioned)];
}

/** Returns those of the users who can read a document. Sends at most one statement for any number of users. */
export async function readersAmong(
  scope: Scope,
  document: Pick<DocumentRow, 'aclId' | 'id' | 'isVersion'>,
  users: readonly UserRow[],
): Promise<UserRow[]> {
  if (users.length === 0) return [];
  const asPrincipal = principals(scope.services.config.ADMIN_USERNAME);
  const needed = readPermissionFor(document);
  // Fills the cache, so that the loop below sends no statements.
  await createAccess(scope).entries(document.aclId);
  const readers: UserRow[] = [];
  for (const user of users) {
    const principal = asPrincipal({ id: user.id, groups: user.groups.map((group) => group.id) });
    if (await createAccess({ ...scope, user: principal }).may(document, needed)) readers.push(user);
  }
  return readers;
}
