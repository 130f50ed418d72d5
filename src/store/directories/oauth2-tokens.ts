import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../../errors.ts';
import { oauth2TokenSource } from '../../loaders/directories/oauth2-tokens.ts';
import { deleteTokens, setTokenDates } from '../tokens/oauth2-tokens.ts';
import { lockNumbered } from './numbered-table.ts';
import type { EntryWriter } from './writer.ts';

/** §5: as entries, OAuth tokens can be deleted, and their creation dates changed. */
export const oauth2TokenWriter: EntryWriter = {
  lock: lockNumbered(oauth2TokenSource, 'oauth2_token'),
  create: () => {
    throw new Invalid('tokens are made by /oauth2/token alone');
  },
  update: async (scope, _, entries) => {
    const found = await oauth2TokenSource.find(scope, entries);
    const known = new Map(found.map(({ id, properties }) => [id, properties]));
    const dates = entries.map(({ id, properties }) => {
      const { creationDate, ...fixed } = properties;
      const { creationDate: old, ...before } = known.get(id) ?? {};
      if (!isDeepStrictEqual(fixed, before))
        throw new Invalid('of a token only the creationDate can be changed');
      if (typeof creationDate !== 'string') throw new Invalid('creationDate: is missing');
      return { id: Number(id), createdAt: new Date(creationDate) };
    });
    await setTokenDates(scope, dates);
    return entries;
  },
  delete: (scope, _, entries) =>
    deleteTokens(
      scope,
      entries.map(({ id }) => Number(id)),
    ),
};
