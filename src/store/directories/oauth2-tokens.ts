import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../../errors.ts';
import { oauth2TokenSource } from '../../loaders/directories/oauth2-tokens.ts';
import type { StoredValue } from '../../model/values/stored.ts';
import { asTimestamp } from '../../model/values/timestamp.ts';
import { requirePassword } from '../tokens/credentials.ts';
import { createOwnTokens, deleteTokens, type OwnToken, setTokenDates } from '../tokens/oauth2-tokens.ts';
import { lockNumbered } from './numbered-table.ts';
import type { EntryWriter, UnsavedEntry } from './writer.ts';

/** The fields of a token that can be stored. */
const storedFields = new Set(['accessToken', 'refreshToken', 'clientId', 'nuxeoLogin', 'creationDate']);

const text = (value: StoredValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function newToken({ properties }: UnsavedEntry): OwnToken {
  const unstored = Object.entries(properties).find(
    ([name, value]) => !storedFields.has(name) && value !== false,
  );
  if (unstored) throw new Invalid(`${unstored[0]} is not stored for tokens, so it must not be set`);
  const [accessToken, refreshToken] = [text(properties.accessToken), text(properties.refreshToken)];
  if (accessToken !== undefined && accessToken.split('.').length === 3)
    throw new Invalid('accessToken must not have the form of a JWT (three parts separated by dots)');
  const creationDate = text(properties.creationDate);
  return {
    ...(accessToken !== undefined && { accessToken }),
    ...(refreshToken !== undefined && { refreshToken }),
    clientId: text(properties.clientId),
    userId: text(properties.nuxeoLogin),
    createdAt: creationDate === undefined ? new Date() : new Date(asTimestamp(creationDate)),
  };
}

/**
 * Presents OAuth 2.0 tokens as directory entries, which can be created and deleted, and whose creation date can be
 * changed (§5).
 */
export const oauth2TokenWriter: EntryWriter = {
  lock: lockNumbered(oauth2TokenSource, 'oauth2_token'),
  create: async (scope, { name }, entries) => {
    requirePassword(scope.user, 'create OAuth tokens');
    const ids = await createOwnTokens(scope, entries.map(newToken));
    const keys = ids.map((id) => ({ directory: name, id: String(id) }));
    return (await oauth2TokenSource.find(scope, keys)).toSorted(
      (one, other) => Number(one.id) - Number(other.id),
    );
  },
  update: async (scope, _, entries) => {
    const found = await oauth2TokenSource.find(scope, entries);
    const known = new Map(found.map(({ id, properties }) => [id, properties]));
    const moved = entries.map(({ id, properties }) => {
      const { creationDate, ...fixed } = properties;
      const { creationDate: old, ...before } = known.get(id) ?? {};
      if (!isDeepStrictEqual(fixed, before))
        throw new Invalid('Only the creationDate of a token can be changed.');
      if (typeof creationDate !== 'string') throw new Invalid('creationDate is missing');
      return creationDate === old ? [] : [{ id: Number(id), createdAt: new Date(asTimestamp(creationDate)) }];
    });
    if (moved.flat().length === 0) return entries;
    // Without this check, a token could be used to extend its own lifetime.
    requirePassword(scope.user, 'change the date of an OAuth token');
    await setTokenDates(scope, moved.flat());
    return entries;
  },
  delete: (scope, _, entries) =>
    deleteTokens(
      scope,
      entries.map(({ id }) => Number(id)),
    ),
};
