import { NotFound } from '../errors.ts';
import { requirePermission } from '../loaders/access.ts';
import { type DocumentRow, documentQuery } from '../loaders/document-row.ts';
import { isUuid } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { addressOf, type DocumentReference } from './lock-document.ts';

const holdQuery = (by: 'id' | 'path') =>
  documentQuery(
    `hold-live-by-${by}`,
    `WHERE d.repository = $1 AND ${
      by === 'path'
        ? 'd.path = $2 AND NOT d.is_version'
        : `d.id = (
             SELECT CASE WHEN v.is_version THEN v.live_id ELSE v.id END
             FROM document v WHERE v.repository = $1 AND v.id = $2::uuid
           )`
    } FOR UPDATE`,
  );

const holdQueries = { id: holdQuery('id'), path: holdQuery('path') };

const versionQuery = documentQuery('version', 'WHERE d.repository = $1 AND d.id = $2::uuid AND d.is_version');

/** A document that is held, and the one of its versions that is meant, if one is. */
export interface Held {
  readonly live: DocumentRow;
  readonly version: DocumentRow | null;
}

/**
 * Reads a document and holds its row; of a version, its live document's, which is above it: rows are held from the top
 * down, and nothing befalls a version while its document is held.
 * @throws NotFound; Forbidden without WriteVersion on the live document of a version. What it takes to do something
 * with another document is for the caller to know.
 */
export async function holdLive(scope: Scope, reference: DocumentReference): Promise<Held> {
  const { by, value } = addressOf(reference);
  const place = [scope.options.repository, value];
  const isPossible = by === 'id' ? isUuid(value) : !value.includes('\0');
  const [live] = isPossible ? await scope.db.query<DocumentRow>(holdQueries[by], place) : [];
  if (!live) throw new NotFound(value);
  if (by === 'path' || live.id === value) return { live, version: null };
  await requirePermission(scope, live, 'WriteVersion');
  const [version] = await scope.db.query<DocumentRow>(versionQuery, place);
  if (!version) throw new NotFound(value);
  return { live, version };
}
