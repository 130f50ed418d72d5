import type { Client } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { AppError } from '../../../errors.ts';
import { createAccess } from '../../../loaders/acls/access.ts';
import { type DocumentRow, documentStatement } from '../../../loaders/documents/document-row.ts';
import type { EventName } from '../../../model/event-names.ts';
import type { StoredProperties } from '../../../model/values/stored.ts';
import type { Using, ValueScope } from '../../../scope.ts';
import { type Ace, effectiveEntries, entriesId, localAclName } from '../../../security/acl.ts';
import { storeEffectiveAcls } from '../../acls/assign-effective-acls.ts';
import { type AuditEvent, recordEvents } from '../../audit/audit.ts';
import { topDown } from '../../row-locks/lock-order.ts';
import { newRow } from '../create-document.ts';
import { requireMutable } from '../mutability.ts';
import { blobRows } from '../properties.ts';
import { insertRows } from './insert-rows.ts';

/** A document to insert at a path, with validated values and its own ACEs. */
export interface PlacedDraft {
  readonly path: string;
  /** The path of the parent, and the name of the document. */
  readonly place: readonly [parent: string, name: string];
  readonly type: string;
  readonly facets: readonly string[];
  readonly state: string;
  readonly properties: StoredProperties;
  readonly aces: readonly Ace[];
}

/** Settings for inserting documents at their paths. */
interface PlacementSettings<Draft> {
  /** Whether documents that already exist are left unchanged; if not, they cause an error. */
  readonly skipsExisting: boolean;
  /** Aborts the transaction because a draft cannot be inserted. */
  readonly refuse: (draft: Draft, reason: string) => never;
  /** Checks and completes the properties of a document before it is inserted. */
  readonly complete?: (row: DocumentRow) => Promise<DocumentRow>;
}

type PlacementScope = Pick<ValueScope, 'db' | 'user' | 'options'> & Using<'model'>;

// New rows copy the path and the effective ACL of their parent. The lock keeps these unchanged until the commit.
const atPaths = documentStatement(
  'lock-documents-at-paths',
  `WHERE d.repository = $1 AND d.path = ANY($2::text[]) AND NOT d.is_version ${topDown('SHARE')}`,
);

const aclInsertion = statement('insert-document-acls')`
  INSERT INTO document_acl (repository, document_id, acls)
  SELECT $1, a.id, a.acls FROM unnest($2::uuid[], $3::jsonb[]) AS a (id, acls)`;

/**
 * Collects effective ACLs by id. The ACLs of stored documents are read all at once; the ACLs of drafts are computed.
 */
async function effectiveAcls(scope: PlacementScope, ids: readonly string[]) {
  const { entries } = createAccess(scope);
  const known = new Map<string, readonly Ace[]>();
  const lists = await Promise.all(ids.map((id) => entries(id)));
  ids.forEach((id, index) => {
    known.set(id, lists[index] ?? []);
  });
  const made = new Map<string, readonly Ace[]>();
  return {
    made,
    /**
     * The id of the effective ACL of a document that has the given ACEs, below a parent whose effective ACL is `aclId`.
     */
    below: (aclId: string, aces: readonly Ace[]): string => {
      if (aces.length === 0) return aclId;
      const list = effectiveEntries([{ name: localAclName, aces }], known.get(aclId) ?? []);
      const id = entriesId(list);
      known.set(id, list);
      made.set(id, list);
      return id;
    },
  };
}

/** Explains why no document can be created below a parent; undefined if one can be created. */
function faultOfParent(parent: DocumentRow): string | undefined {
  try {
    requireMutable(parent, 'AddChildren');
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** A draft, along with the row that is inserted for it. */
interface Placed<Draft> {
  readonly draft: Draft;
  row: DocumentRow;
}

async function placeAll<Draft extends PlacedDraft>(
  scope: PlacementScope,
  drafts: readonly Draft[],
  { skipsExisting, refuse }: PlacementSettings<Draft>,
) {
  const paths = new Set(drafts.flatMap(({ path, place }) => [path, place[0]]));
  const found = await scope.db.query(atPaths, [scope.options.repository, [...paths]]);
  const documents = new Map(found.map((row) => [row.path, row]));
  const hasAces = drafts.some(({ aces }) => aces.length > 0);
  const acls = await effectiveAcls(scope, hasAces ? [...new Set(found.map(({ aclId }) => aclId))] : []);
  const placed: Placed<Draft>[] = [];
  const parents = new Set<DocumentRow>();
  for (const draft of drafts) {
    const { path, place, facets, state, aces } = draft;
    if (documents.has(path)) {
      if (skipsExisting) continue;
      refuse(draft, 'a document already exists at this path');
    }
    const parent = documents.get(place[0]);
    if (!parent) {
      refuse(draft, `its parent ${place[0]} is neither in the repository nor in an earlier line`);
      continue;
    }
    const fault = parents.has(parent) ? undefined : faultOfParent(parent);
    if (fault !== undefined) refuse(draft, fault);
    parents.add(parent);
    const row = {
      ...newRow(parent, { ...draft, name: place[1] }),
      facets: [...facets],
      state,
      aclId: acls.below(parent.aclId, aces),
    };
    documents.set(path, row);
    placed.push({ draft, row });
  }
  return { placed, acls: acls.made };
}

/**
 * Inserts documents inside a transaction, below parents that exist or that are earlier drafts. The number of statements
 * does not depend on the number of documents.
 * @returns the number of documents that were inserted; the others already existed
 */
export async function insertPlaced<Draft extends PlacedDraft>(
  scope: PlacementScope & { readonly db: Client },
  drafts: readonly Draft[],
  settings: PlacementSettings<Draft>,
): Promise<number> {
  const { db, options } = scope;
  const { model } = scope.services;
  const { placed, acls } = await placeAll(scope, drafts, settings);
  if (placed.length === 0) return 0;
  const { complete } = settings;
  if (complete) for (const each of placed) each.row = await complete(each.row);
  const rows = placed.map(({ row }) => row);
  const governed = placed.filter(({ draft }) => draft.aces.length > 0);
  const events = (eventId: EventName, of: readonly DocumentRow[]): AuditEvent[] =>
    of.map((document) => ({ eventId, document }));
  const { repository } = options;
  const insertAcls = async (): Promise<void> => {
    if (governed.length === 0) return;
    const values = governed.map(({ draft }) => JSON.stringify([{ name: localAclName, aces: draft.aces }]));
    await db.query(aclInsertion, [repository, governed.map(({ row }) => row.id), values]);
  };
  // The statements are sent without waiting for each other, so that the next one is prepared while the database inserts
  // rows.
  await Promise.all([
    insertRows(db, rows),
    recordEvents({ ...scope, options: { comment: undefined } }, [
      ...events('documentCreated', rows),
      ...events(
        'documentSecurityUpdated',
        governed.map(({ row }) => row),
      ),
    ]),
    insertAcls(),
    acls.size > 0 && storeEffectiveAcls(db, repository, acls),
  ]);
  const blobs = rows.flatMap((row) => blobRows(row, model.schemasOf(row.type, row.facets)));
  if (blobs.length > 0) await db.prisma.documentBlob.createMany({ data: blobs });
  return placed.length;
}
