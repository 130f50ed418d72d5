import { Invalid } from '../../errors.ts';
import { authTokenSource } from '../../loaders/directories/auth-tokens.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import { isUuid } from '../../model/names.ts';
import { deleteLoginTokens } from '../tokens/login-tokens.ts';
import { type EntryWriter, lockAndFind } from './writer.ts';

/**
 * Presents login tokens as directory entries. The only change that this directory allows is deleting an entry, which
 * revokes the token (§5).
 */
export const authTokenWriter: EntryWriter = {
  lock: lockAndFind(authTokenSource, {
    table: 'login_token',
    where: 'id = ANY($1::uuid[]) OR hash = ANY($2::text[])',
    values: (ids) => {
      const tokens = ids.filter(isUuid);
      return tokens.length > 0 ? [tokens, tokens.map(tokenHash)] : undefined;
    },
  }),
  create: () => {
    throw new Invalid('Login tokens can only be created through /authentication/token.');
  },
  update: () => {
    throw new Invalid('A login token cannot be changed, only revoked.');
  },
  delete: (scope, _, entries) =>
    deleteLoginTokens(
      scope,
      entries.map(({ id }) => id),
    ),
};
