import { Invalid, NotFound, PreconditionFailed } from '../errors.ts';
import { requirePermission } from '../loaders/access.ts';
import { changeToken, type DocumentRow, documentQuery } from '../loaders/document-row.ts';
import { isUuid } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { decidingAbout, type Permission } from '../security/permissions.ts';

/** A document by its id or by its path: exactly one of them. */
export interface DocumentReference {
  readonly id?: string | null | undefined;
  readonly path?: string | null | undefined;
}

/** How a row is held until the end of the transaction: others may read it, change its neighbours, or wait. */
type Hold = 'SHARE' | 'NO KEY UPDATE' | 'UPDATE';

const query = (hold: Hold, by: 'id' | 'path') =>
  documentQuery(
    `hold-${hold}-${by}`,
    `WHERE d.repository = $1 AND ${by === 'id' ? 'd.id = $2::uuid' : 'd.path = $2 AND NOT d.is_version'} FOR ${hold}`,
  );

const holds: readonly Hold[] = ['SHARE', 'NO KEY UPDATE', 'UPDATE'];
const queries = Object.fromEntries(
  holds.map((hold) => [hold, { id: query(hold, 'id'), path: query(hold, 'path') }]),
) as Record<Hold, Record<'id' | 'path', ReturnType<typeof query>>>;
const findQueries = {
  id: documentQuery('find-id', 'WHERE d.repository = $1 AND d.id = $2::uuid'),
  path: documentQuery('find-path', 'WHERE d.repository = $1 AND d.path = $2 AND NOT d.is_version'),
};

/** A path without the slashes at its end, which never matter; the root's is its name. */
function withoutTrailing(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Which of the two a reference is. @throws Invalid when it is neither or both. */
export function addressOf({ id, path }: DocumentReference): { by: 'id' | 'path'; value: string } {
  if (typeof id === 'string' && typeof path !== 'string') return { by: 'id', value: id.toLowerCase() };
  if (typeof path === 'string' && typeof id !== 'string') return { by: 'path', value: withoutTrailing(path) };
  throw new Invalid('a document is addressed by its id or by its path: give exactly one');
}

/** @throws Invalid on a version: it stays as it was made (§11). */
export function requireLive({ id, isVersion }: DocumentRow): void {
  if (isVersion) throw new Invalid(`${id} is a version, and versions cannot be modified`);
}

/** What else than reading can be done with a proxy: it has a place and ACLs of its own, and nothing besides. */
const ofProxies: readonly Permission[] = [
  'Remove',
  'RemoveChildren',
  'WriteSecurity',
  'WriteLifeCycle',
  'Unlock',
];

/**
 * Versions stay as they were made, and a proxy shows its version (§11).
 * @throws Invalid when what a permission is for cannot be done with such a document.
 */
export function requireMutable(row: DocumentRow, needs: Permission): void {
  if (decidingAbout(needs).has('Read')) return;
  requireLive(row);
  if (row.isProxy && !ofProxies.includes(needs)) {
    throw new Invalid(`${row.id} is a proxy, and shows a version that cannot be modified`);
  }
}

/** What a write is about to do. */
interface Claim {
  readonly hold: Hold;
  /** What the caller must be allowed to do with the document. */
  readonly needs: Permission;
}

async function readDocument(
  scope: Scope,
  reference: DocumentReference,
  byQuery: Record<'id' | 'path', ReturnType<typeof query>>,
): Promise<DocumentRow> {
  const { by, value } = addressOf(reference);
  const isPossible = by === 'id' ? isUuid(value) : !value.includes('\0');
  const rows = isPossible
    ? await scope.db.query<DocumentRow>(byQuery[by], [scope.options.repository, value])
    : [];
  if (!rows[0]) throw new NotFound(value);
  return rows[0];
}

/** Reads a document, whatever the caller may do with it, and holds nothing. @throws NotFound */
export const findDocument = (scope: Scope, reference: DocumentReference): Promise<DocumentRow> =>
  readDocument(scope, reference, findQueries);

/** Reads a document, whatever the caller may do with it, and holds its row until the transaction ends. @throws NotFound */
export const holdDocument = (scope: Scope, reference: DocumentReference, hold: Hold): Promise<DocumentRow> =>
  readDocument(scope, reference, queries[hold]);

/**
 * Reads a document and holds its row until the transaction ends.
 * @throws NotFound, Forbidden; Invalid when it is a version or a proxy, with which this cannot be done.
 */
export async function lockDocument(
  scope: Scope,
  reference: DocumentReference,
  { hold, needs }: Claim,
): Promise<DocumentRow> {
  const row = await holdDocument(scope, reference, hold);
  await requirePermission(scope, row, needs);
  requireMutable(row, needs);
  return row;
}

/** @throws PreconditionFailed when none of the change tokens that `If-Match` names is the document's. */
export function requireMatch(row: DocumentRow, tokens: readonly string[] | null | undefined): void {
  const own = tokens?.map((token) => token.split('/', 1)[0]); // a proxy's is followed by that of its version
  if (tokens && !own?.includes(changeToken(row))) {
    throw new PreconditionFailed(`${row.id} is at ${changeToken(row)}, not at ${tokens.join(' or ')}`);
  }
}
