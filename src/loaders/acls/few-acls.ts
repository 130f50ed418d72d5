import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import { aceUsernames } from '../../security/evaluate.ts';
import { type Access, createAccess } from './access.ts';

/** PostgreSQL looks each one up while it plans a search. */
const most = 500;

const grantingQuery = statement('acls-that-grant')`
  SELECT id FROM effective_acl
  WHERE repository = $1 AND granted_names(entries) ?| $2::text[] LIMIT ${most + 1}`;

type FewAcls = readonly string[] | undefined;

async function find(
  { options, user }: Pick<Scope, 'options' | 'user'>,
  query: Client['query'],
): Promise<FewAcls> {
  const found = await query<{ id: string }>(grantingQuery, [options.repository, aceUsernames(user)]);
  if (found.length > most) return undefined;
  const { may } = createAccess({ db: { query }, options, user });
  const isReadable = async (aclId: string): Promise<boolean> =>
    (await may({ aclId }, 'Read')) || may({ aclId }, 'ReadVersion');
  const answers = await Promise.all(found.map(({ id }) => isReadable(id)));
  return found.flatMap(({ id }, nth) => (answers[nth] ? [id] : []));
}

const known = new WeakMap<Access, Promise<FewAcls>>();

/**
 * The effective ACLs by which the caller may read documents or versions; undefined for administrators, and
 * where they are many. A search that names them finds the documents of a caller who may read few by an index.
 * @param query sends the search too: of a transaction, no other one can be used meanwhile.
 */
export async function fewReadableAcls(
  scope: Pick<Scope, 'options' | 'user'>,
  access: Access,
  query: Client['query'],
): Promise<FewAcls> {
  if (scope.user.isAdministrator) return undefined;
  const answer = known.get(access) ?? find(scope, query);
  known.set(access, answer);
  return answer;
}
