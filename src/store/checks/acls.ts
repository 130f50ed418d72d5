import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { type Ace, effectiveEntries, entriesId, type NamedAcl } from '../../security/acl.ts';
import { assignEffectiveAcls } from '../acls/assign-effective-acls.ts';
import { beforeAllDocuments, type DocumentPlace } from '../documents/document-place.ts';
import { lockAllDocuments } from '../row-locks/lock-all-documents.ts';
import type { Check, CheckContext } from './check.ts';
import {
  checkDocuments,
  type DocumentFault,
  type FoundInSlice,
  lastOfSlice,
  ofSlice,
  slice,
  sliceRow,
} from './document-slices.ts';

/** A document whose effective ACL cannot be checked by comparing ids. */
interface Holder {
  readonly repository: string;
  readonly id: string;
  readonly path: string;
  readonly aclId: string;
  readonly acls: readonly NamedAcl[];
  /** The ACEs that the document inherits from its parent. */
  readonly above: readonly Ace[];
  readonly isBelowVersion: boolean;
}

// Compares the effective ACLs of a slice of documents. A document without its own ACLs has the effective ACL of its
// parent, and a version has that of its live document: the statement itself finds faults in these two cases. In all
// other cases, the id of the effective ACL must be the hash of its entries, which JavaScript computes from `holders`.
const findQuery = statement('check-acls', {
  ...sliceRow,
  faults: typed<readonly DocumentFault[]>('jsonb'),
  holders: typed<readonly Holder[]>('jsonb'),
})`
  WITH ${slice}, placed AS (
    SELECT d.repository, d.id, d.path, d.acl_id, a.acls, up.acl_id AS above_id,
      coalesce(up.is_version, false) AS below_version
    FROM slice s JOIN document d ON d.repository = s.repository AND d.id = s.id
    LEFT JOIN document_acl a ON a.repository = d.repository AND a.document_id = d.id
    LEFT JOIN document up ON up.repository = d.repository
      AND up.id = CASE WHEN d.is_version THEN d.live_id ELSE d.parent_id END
  ), found AS (
    SELECT fault.kind, d.repository, d.id, d.path, fault.message
    FROM placed d CROSS JOIN LATERAL (VALUES
      ('effective', 'does not have the effective ACL that it inherits', d.acls IS NULL AND NOT d.below_version AND d.acl_id <> d.above_id),
      ('missing', 'its effective ACL ' || d.acl_id || ' does not exist', NOT EXISTS (
        SELECT FROM effective_acl e WHERE e.repository = d.repository AND e.id = d.acl_id))
    ) AS fault (kind, message, is_so) WHERE fault.is_so
  ), holders AS (
    SELECT d.repository, d.id, d.path, d.acl_id AS "aclId", coalesce(d.acls, '[]') AS acls,
      coalesce(e.entries, '[]') AS above, d.below_version AS "isBelowVersion"
    FROM placed d LEFT JOIN effective_acl e ON e.repository = d.repository AND e.id = d.above_id
    WHERE d.acls IS NOT NULL OR d.above_id IS NULL OR d.below_version
  )
  SELECT ${ofSlice},
    (SELECT coalesce(jsonb_agg(to_jsonb(found)), '[]') FROM found) AS faults,
    (SELECT coalesce(jsonb_agg(to_jsonb(holders)), '[]') FROM holders) AS holders
  FROM ${lastOfSlice}`;

const faultOf = ({ repository, id, path }: Holder): DocumentFault => ({
  kind: 'effective',
  repository,
  id,
  path,
  message: 'its effective ACL does not consist of its own ACEs and the inherited ones',
});

async function find(
  db: Pick<Client, 'query'>,
  { repository, id }: { repository: string; id: string },
): Promise<FoundInSlice | undefined> {
  const [row] = await db.query(findQuery, [repository, id]);
  if (!row) return undefined;
  const wrong = row.holders.filter(
    ({ acls, above, isBelowVersion, aclId }) =>
      aclId !== entriesId(effectiveEntries(acls, above, isBelowVersion)),
  );
  return { ...row, faults: [...row.faults, ...wrong.map(faultOf)] };
}

/** Assigns effective ACLs to all documents in the given repositories. */
async function assignAll(db: Client, repositories: Iterable<string>): Promise<void> {
  for (const repository of new Set(repositories)) {
    const where = { repository, path: '/', parentId: null, isVersion: false };
    const root = await db.prisma.document.findFirst({ where, select: { id: true } });
    if (root) await assignEffectiveAcls(db, { repository, id: root.id }, { isHeld: true, isFaulty: true });
  }
}

interface EffectiveAclRow {
  readonly repository: string;
  readonly id: string;
  readonly entries: readonly Ace[];
}

const rowsOfSlice = 1_000;

const entriesQuery = statement('effective-acls-of-slice', {
  ...modelColumns('EffectiveAcl', 'repository', 'id'),
  entries: typed<Ace[]>('jsonb'),
})`
  SELECT repository, id, entries FROM effective_acl WHERE (repository, id) > ($1, $2::uuid)
  ORDER BY repository, id LIMIT ${rowsOfSlice}`;

const deleteQuery = statement('delete-misnamed-acls')`
  DELETE FROM effective_acl e USING unnest($1::text[], $2::uuid[]) AS misnamed (repository, id)
  WHERE e.repository = misnamed.repository AND e.id = misnamed.id`;

/**
 * Deletes rows whose id is not the hash of their entries; when ACLs are assigned afterwards, rows with the right id are
 * created where they are needed.
 */
const repairMisnamed = ({ database }: CheckContext, rows: readonly EffectiveAclRow[]): Promise<void> =>
  database.transaction(600, async (db) => {
    await lockAllDocuments(db);
    await db.query(deleteQuery, [rows.map(({ repository }) => repository), rows.map(({ id }) => id)]);
    await assignAll(
      db,
      rows.map(({ repository }) => repository),
    );
  });

/** Checks that the id of each effective ACL is the hash of its entries. */
async function checkEntries(context: CheckContext): Promise<void> {
  let after: DocumentPlace | undefined = beforeAllDocuments;
  while (after && !context.signal.aborted) {
    const rows: EffectiveAclRow[] = await context.database.query(entriesQuery, [after.repository, after.id]);
    const misnamed = rows.filter(({ id, entries }) => entriesId(entries) !== id);
    if (context.isRepairing && misnamed.length > 0) await repairMisnamed(context, misnamed);
    for (const { repository, id } of misnamed)
      context.onFault({
        kind: 'content',
        repository,
        message: `the id of the effective ACL ${id} is not the hash of its entries`,
        isRepaired: context.isRepairing,
      });
    after = rows.at(-1);
  }
}

/**
 * Checks that documents point to the effective ACL that follows from their own ACLs and those of their ancestors
 * (§2.5).
 */
export const aclsCheck: Check = {
  name: 'acls',
  run: async (context) => {
    await checkEntries(context);
    await checkDocuments(context, {
      find,
      repair: (db, faults) =>
        assignAll(
          db,
          faults.map(({ repository }) => repository),
        ),
    });
    return undefined;
  },
};
