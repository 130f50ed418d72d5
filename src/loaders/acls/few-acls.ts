import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import { aceUsernames } from '../../security/evaluate.ts';
import type { Permission } from '../../security/permissions.ts';
import { type Access, createAccess } from './access.ts';

/**
 * The maximum number of ACL ids that a search takes as a parameter. With more ids, planning and sending them costs more
 * than it saves.
 */
const maxAcls = 1_000;

const grantingQuery = statement('acls-that-grant', modelColumns('EffectiveAcl', 'id'))`
  SELECT id FROM effective_acl
  WHERE repository = $1 AND granted_names(entries) ?| $2::text[] LIMIT ${maxAcls + 1}`;

/** The ids of effective ACLs that allow reading documents, and of those that allow reading versions (§2.5). */
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
  if (found.length > maxAcls) return undefined;
  const { may } = createAccess({ db: { query }, options, user });
  const granting = async (permission: Permission): Promise<string[]> => {
    const answers = await Promise.all(found.map(({ id: aclId }) => may({ aclId }, permission)));
    return found.flatMap(({ id }, nth) => (answers[nth] ? [id] : []));
  };
  const [ofDocuments, ofVersions] = await Promise.all([granting('Read'), granting('ReadVersion')]);
  return { ofDocuments, ofVersions };
}

const cachedAcls = new WeakMap<Access, Promise<Found>>();

/**
 * The effective ACLs that allow the caller to read documents, determined once per request. A search can then look up
 * documents by these ids in an index instead of evaluating the ACL of each hit. The id of an ACL is the hash of its
 * ACEs, so an ACL always grants the same permissions; ACLs that are created during the request are not included.
 * @param query the function that also sends the search; in a transaction, no other connection can be used
 * @returns undefined for administrators, who can read everything, and for callers with more than `maxAcls` such ACLs
 */
export async function fewReadableAcls(
  scope: Pick<Scope, 'options' | 'user'>,
  access: Access,
  query: Client['query'],
): Promise<Found> {
  if (scope.user.isAdministrator) return undefined;
  const answer = cachedAcls.get(access) ?? find(scope, query);
  cachedAcls.set(access, answer);
  return answer;
}
