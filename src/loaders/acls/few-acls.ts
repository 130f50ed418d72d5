import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import { aceUsernames } from '../../security/evaluate.ts';
import type { Permission } from '../../security/permissions.ts';
import { type Access, createAccess } from './access.ts';

/** Ids beyond which a statement that has them costs more than it saves. */
const most = 1_000;

const grantingQuery = statement('acls-that-grant', modelColumns('EffectiveAcl', 'id'))`
  SELECT id FROM effective_acl
  WHERE repository = $1 AND granted_names(entries) ?| $2::text[] LIMIT ${most + 1}`;

/** Ids of effective ACLs. Versions take a permission of their own (§2.5). */
export interface ReadableAcls {
  readonly ofDocuments: readonly string[];
  readonly ofVersions: readonly string[];
}

type Found = ReadableAcls | undefined;

async function find(
  { options, user }: Pick<Scope, 'options' | 'user'>,
  query: Client['query'],
): Promise<Found> {
  const found = await query(grantingQuery, [options.repository, aceUsernames(user)]);
  if (found.length > most) return undefined;
  const { may } = createAccess({ db: { query }, options, user });
  const granting = async (permission: Permission): Promise<string[]> => {
    const answers = await Promise.all(found.map(({ id: aclId }) => may({ aclId }, permission)));
    return found.flatMap(({ id }, nth) => (answers[nth] ? [id] : []));
  };
  const [ofDocuments, ofVersions] = await Promise.all([granting('Read'), granting('ReadVersion')]);
  return { ofDocuments, ofVersions };
}

const known = new WeakMap<Access, Promise<Found>>();

/**
 * The effective ACLs by which the caller may read; undefined for administrators, and where they are many. An
 * id is the hash of what an ACL says, so they stay true; one that is made later is missing.
 * @param query sends the search too: of a transaction, no other one can be used meanwhile.
 */
export async function fewReadableAcls(
  scope: Pick<Scope, 'options' | 'user'>,
  access: Access,
  query: Client['query'],
): Promise<Found> {
  if (scope.user.isAdministrator) return undefined;
  const answer = known.get(access) ?? find(scope, query);
  known.set(access, answer);
  return answer;
}
