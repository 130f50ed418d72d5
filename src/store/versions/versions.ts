import { v7 as uuid } from 'uuid';
import { modelColumns } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import {
  type DocumentRow,
  documentColumns,
  documentRow,
  versionLabel,
} from '../../loaders/documents/document-row.ts';
import { facetsOf } from '../../model/facets-of.ts';
import { type Increment, policyIncrement } from '../../model/versioning.ts';
import type { Scope } from '../../scope.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { copyColumns, type DocumentField } from '../documents/column-sql.ts';

// A version is a copy of its live document's row, created in the database, with different values in some columns (§11).

/** SQL expressions for the columns in which a version differs from its live document `d`. */
const own: Partial<Record<DocumentField, string>> = {
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

// Inserts a version. `earlier` removes the marks of the latest version from earlier versions, `version` copies the row
// of the live document, and `blobs` and `members` copy its blobs and, for a collection, its members. All parts see the
// same snapshot, so the version has exactly the state that the live document had before the statement.
const insertQuery = statement('insert-version', documentRow)`
  WITH earlier AS (
    UPDATE document
    SET is_latest_version = false, is_latest_major_version = is_latest_major_version AND $5::int <> 0,
      system_token = system_token + 1
    WHERE repository = $1 AND live_id = $2::uuid AND is_version
      AND (is_latest_version OR (is_latest_major_version AND $5::int = 0))
  ), version AS (
    INSERT INTO document ${copyColumns('d', own)}
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
  SELECT ${documentColumns} FROM version d`;

const isVersionable = ({ services: { model } }: Scope, row: Pick<DocumentRow, 'type' | 'facets'>): boolean =>
  facetsOf(model, row).includes('Versionable');

/** @throws Invalid if the document is not versionable */
export function requireVersionable(scope: Scope, row: Pick<DocumentRow, 'type' | 'facets'>): void {
  if (!isVersionable(scope, row))
    throw new Invalid(
      `Documents of type ${row.type} have no versions, because they do not have the facet Versionable.`,
    );
}

/**
 * The row of a document after a check-in; `insertVersion` then creates the version. The increment NONE uses the current
 * version number if no version has it yet, and is treated as MINOR otherwise.
 */
export function checkedIn(row: DocumentRow, increment: Increment): DocumentRow {
  const { majorVersion, minorVersion } = row;
  const numbers = {
    NONE: { majorVersion, minorVersion },
    MINOR: { majorVersion, minorVersion: minorVersion + 1 },
    MAJOR: { majorVersion: majorVersion + 1, minorVersion: 0 },
  };
  const isTaken = increment === 'NONE' && row.baseVersionId !== null;
  return { ...row, ...numbers[isTaken ? 'MINOR' : increment], isCheckedOut: false, baseVersionId: uuid() };
}

/** The log entry for a check-in. */
export function checkInEvent({ options }: Scope, row: DocumentRow, comment?: string): AuditEvent {
  const words = [versionLabel(row), comment ?? options.comment];
  return { eventId: 'documentCheckedIn', document: row, comment: words.filter(Boolean).join(' ') };
}

/**
 * Copies the stored row of a document, along with its blobs and members, to a new version, which becomes the latest
 * one.
 * @param live the result of `checkedIn`; its row is locked
 */
export async function insertVersion(scope: Scope, live: DocumentRow, comment?: string): Promise<DocumentRow> {
  const { repository, id, baseVersionId, majorVersion, minorVersion } = live;
  const versionComment = comment ?? scope.options.comment ?? null;
  const values = [
    repository,
    id,
    baseVersionId,
    majorVersion,
    minorVersion,
    new Date().toISOString(),
    versionComment,
  ];
  const [version] = await scope.db.query(insertQuery, values);
  if (!version) throw new Error(`there is no document ${id} to make a version of`);
  return version;
}

// This is plain SQL, because Prisma would send the condition of the partial index as a parameter, so that PostgreSQL
// could not use the index.
const latestQuery = statement('latest-version', modelColumns('Document', 'majorVersion', 'minorVersion'))`
  SELECT d.major_version AS "majorVersion", d.minor_version AS "minorVersion" FROM document d
  WHERE d.repository = $1 AND d.live_id = $2::uuid AND d.is_latest_version`;

/**
 * The row of a document after a check-out. The version number continues from the latest version, even if an earlier
 * version was restored.
 */
export async function checkedOut({ db }: Scope, row: DocumentRow): Promise<DocumentRow> {
  if (row.isCheckedOut) return row;
  const [numbers] = await db.query(latestQuery, [row.repository, row.id]);
  return { ...row, ...numbers, isCheckedOut: true };
}

/** The number of seconds since a document was modified. */
function idleOf({ properties }: DocumentRow): number {
  const modified = Date.parse(String(properties['dc:modified']));
  return Number.isNaN(modified) ? Number.POSITIVE_INFINITY : (Date.now() - modified) / 1000;
}

/**
 * The version increment that the versioning policies require (§11). It is NONE if the request contains
 * `X-Versioning-Option: NONE`.
 * @param before the row before the change; absent when the document is created
 */
export function automaticIncrement(
  scope: Scope,
  when: 'before' | 'after',
  row: DocumentRow,
  before?: DocumentRow,
): Increment {
  const { options, user } = scope;
  const { model } = scope.services;
  if (options.versioning === 'NONE' || !isVersionable(scope, row)) return 'NONE';
  const last = before?.properties['dc:lastContributor'];
  return policyIncrement(model.versioning, {
    when,
    source: options.source,
    type: row.type,
    facets: facetsOf(model, row),
    schemas: model.schemasOf(row.type, row.facets).map(({ name }) => name),
    isByAnotherUser: typeof last === 'string' && last !== user.id,
    idle: before ? idleOf(before) : 0,
  });
}
