import { v7 as uuid } from 'uuid';
import type { Query } from '../db/database.ts';
import { Invalid } from '../errors.ts';
import { columns, type DocumentRow, documentColumns, versionLabel } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import { automatic, type Increment } from '../model/versioning.ts';
import type { Scope } from '../scope.ts';
import type { Event } from './audit.ts';

// A version is a row like its live document's: parts of it are others, the rest is copied in the database (§11).

type Field = keyof DocumentRow;

/** What a version has that its live document, called `d`, has not. */
const own: Partial<Record<Field, string>> = {
  id: '$3::uuid',
  parentId: 'NULL',
  ancestorIds: 'd.ancestor_ids || d.id',
  majorVersion: '$4::int',
  minorVersion: '$5::int',
  isCheckedOut: 'false',
  isVersion: 'true',
  liveId: 'd.id',
  baseVersionId: 'NULL',
  isLatestVersion: 'true',
  isLatestMajorVersion: '$5::int = 0',
  versionCreated: '$6::timestamptz',
  versionComment: '$7::text',
  lockOwner: 'NULL',
  lockCreated: 'NULL',
  position: 'NULL',
  systemToken: '0',
  userToken: '0',
};

const fields = Object.keys(columns) as Field[];

const insertQuery: Query = {
  name: 'insert-version',
  text: `
    WITH earlier AS (
      UPDATE document
      SET is_latest_version = false, is_latest_major_version = is_latest_major_version AND $5::int <> 0,
        system_token = system_token + 1
      WHERE repository = $1 AND live_id = $2::uuid AND is_version
        AND (is_latest_version OR (is_latest_major_version AND $5::int = 0))
    ), version AS (
      INSERT INTO document (${fields.map((field) => columns[field].column).join(', ')})
      SELECT ${fields.map((field) => own[field] ?? `d.${columns[field].column}`).join(', ')}
      FROM document d WHERE d.repository = $1 AND d.id = $2::uuid
      RETURNING *
    ), blobs AS (
      INSERT INTO document_blob (repository, document_id, xpath, digest)
      SELECT repository, $3::uuid, xpath, digest FROM document_blob WHERE repository = $1 AND document_id = $2::uuid
    ), members AS (
      INSERT INTO collection_member (repository, collection_id, member_id, position)
      SELECT repository, $3::uuid, member_id, position FROM collection_member
      WHERE repository = $1 AND collection_id = $2::uuid
    )
    SELECT ${documentColumns} FROM version d`,
};

/** Whether there can be versions of a document. */
const isVersionable = ({ model }: Scope, row: Pick<DocumentRow, 'type' | 'facets'>): boolean =>
  facetsOf(model, row).includes('Versionable');

/** @throws Invalid when there can be no versions of a document. */
export function requireVersionable(scope: Scope, row: Pick<DocumentRow, 'type' | 'facets'>): void {
  if (!isVersionable(scope, row)) throw new Invalid(`a ${row.type} has no versions: it is not Versionable`);
}

/**
 * A document as it is once it is checked in: under the next number, on a version that `insertVersion` makes.
 * @param increment NONE keeps the number.
 */
export function checkedIn(row: DocumentRow, increment: Increment): DocumentRow {
  const { majorVersion, minorVersion } = row;
  const numbers = {
    NONE: { majorVersion, minorVersion },
    MINOR: { majorVersion, minorVersion: minorVersion + 1 },
    MAJOR: { majorVersion: majorVersion + 1, minorVersion: 0 },
  };
  return { ...row, ...numbers[increment], isCheckedOut: false, baseVersionId: uuid() };
}

/** What the audit tells of that: the label, and what is said of the version. */
export function checkInEvent({ options }: Scope, row: DocumentRow, comment?: string): Event {
  const words = [versionLabel(row), comment ?? options.comment];
  return { eventId: 'documentCheckedIn', document: row, comment: words.filter(Boolean).join(' ') };
}

/**
 * Makes the version that a document is checked in on: a copy of the row as it is stored, under the numbers given, with
 * the blobs that are recorded for it and the members that it has as a collection; the versions before are no longer the latest ones.
 * @param live what `checkedIn` answered; its row is held.
 */
export async function insertVersion(scope: Scope, live: DocumentRow, comment?: string): Promise<DocumentRow> {
  const { repository, id, baseVersionId, majorVersion, minorVersion } = live;
  const said = comment ?? scope.options.comment ?? null;
  const values = [repository, id, baseVersionId, majorVersion, minorVersion, new Date().toISOString(), said];
  const [version] = await scope.db.query<DocumentRow>(insertQuery, values);
  if (!version) throw new Error(`there is no document ${id} to make a version of`);
  return version;
}

const latestQuery: Query = {
  name: 'latest-version',
  text: `
    SELECT d.major_version AS "majorVersion", d.minor_version AS "minorVersion" FROM document d
    WHERE d.repository = $1 AND d.live_id = $2::uuid AND d.is_latest_version`,
};

/**
 * A document as it is once it is checked out: numbers go on from the latest version, though it may have been restored
 * from an earlier one.
 */
export async function checkedOut({ db }: Scope, row: DocumentRow): Promise<DocumentRow> {
  if (row.isCheckedOut) return row;
  type Numbers = Pick<DocumentRow, 'majorVersion' | 'minorVersion'>;
  const [numbers] = await db.query<Numbers>(latestQuery, [row.repository, row.id]);
  return { ...row, ...numbers, isCheckedOut: true };
}

/** How long ago a document was changed last, in seconds; long ago when that is not known. */
function idleOf({ properties }: DocumentRow): number {
  const modified = Date.parse(String(properties['dc:modified']));
  return Number.isNaN(modified) ? Number.POSITIVE_INFINITY : (Date.now() - modified) / 1000;
}

/**
 * What the policies of the model make of a save (§11).
 * @param row the document as it is then.
 * @param before as it was before the update; there is none when it is created.
 */
export function automaticIncrement(
  scope: Scope,
  when: 'before' | 'after',
  row: DocumentRow,
  before?: DocumentRow,
): Increment {
  const { model, options, user } = scope;
  if (!isVersionable(scope, row)) return 'NONE';
  const last = before?.properties['dc:lastContributor'];
  return automatic(model.versioning, {
    when,
    source: options.source,
    type: row.type,
    facets: facetsOf(model, row),
    schemas: model.schemasOf(row.type, row.facets).map(({ name }) => name),
    isByAnother: typeof last === 'string' && last !== user.id,
    idle: before ? idleOf(before) : 0,
  });
}
