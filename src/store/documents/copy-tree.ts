import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import { type DocumentRow, documentColumnDefinitions } from '../../loaders/documents/document-row.ts';
import { commentRootText, typesOfComments } from '../../model/comments/comment-tree.ts';
import { typesWithFacet } from '../../model/facets-of.ts';
import { hashId, sqlHashId } from '../../model/hash-id.ts';
import { lifeCycle } from '../../model/life-cycle.ts';
import { maxPathBytes } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { topDown } from '../row-locks/lock-order.ts';
import { copyColumns, type DocumentField } from './column-sql.ts';

/**
 * SQL condition that is true if the row `d` is a comment, that is, if `commentedId` returns an id for it.
 * @param types the SQL parameter that contains `typesOfComments`
 */
const isCommentSql = (types: string): string => `(d.type = ANY(${types}::text[]) AND EXISTS (
  SELECT FROM unnest(d.ancestor_ids, d.ancestor_ids[2:] || d.id) AS step (above, below)
  WHERE step.below = ${sqlHashId(`'${commentRootText}' || step.above::text`)}
))`;

/** The fields of a copy that differ from its original: a copy has no lock, versions or retention. */
export const initialCopyFields = {
  majorVersion: 0,
  minorVersion: 0,
  isCheckedOut: true,
  baseVersionId: null,
  isVersion: false,
  isLatestVersion: false,
  isLatestMajorVersion: false,
  versionCreated: null,
  versionComment: null,
  lockOwner: null,
  lockCreated: null,
  isRecord: false,
  retainUntil: null,
  hasLegalHold: false,
  systemToken: 0,
  userToken: 0,
} as const satisfies Partial<DocumentRow>;

/**
 * The length of the part of a UUIDv7 that contains the time and version. A copy's id shares this part with the salt, so
 * that the ids of new documents follow the order of their creation.
 */
const timePrefix = 13; // hexadecimal digits

const digits = (uuid: string): string => uuid.replaceAll('-', '');

/**
 * The id of a copy. It is a hash of the salt and the original's id, so that references within the copied tree can be
 * computed without a table of old and new ids.
 */
export const copyId = (salt: string, id: string): string => {
  const text = digits(salt).slice(0, timePrefix) + digits(hashId(salt + id)).slice(timePrefix);
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** SQL for the id of a document's copy; computes the same id as `copyId`. */
const copyOf = (id: string): string =>
  `overlay(${sqlHashId(`$3::text || ${id}::text`)}::text PLACING left($3::text, ${timePrefix + 2}) FROM 1)::uuid`;

// SQL expressions for the columns in which copies differ from their originals. They use the parameters of `copyQuery`.
const changed: Partial<Record<DocumentField, string>> = {
  ...Object.fromEntries(
    Object.entries(initialCopyFields).map(([field, value]) => [
      field,
      `${value}::${documentColumnDefinitions[field as DocumentField].type}`,
    ]),
  ),
  // A copied proxy shows the same version, so it has the same version numbers.
  majorVersion: 'CASE WHEN d.is_proxy THEN d.major_version ELSE 0 END',
  minorVersion: 'CASE WHEN d.is_proxy THEN d.minor_version ELSE 0 END',
  isCheckedOut: 'NOT d.is_proxy',
  id: copyOf('d.id'),
  parentId: copyOf('d.parent_id'),
  ancestorIds: `$4::uuid[] || ARRAY(
    SELECT ${copyOf('path.id')} FROM unnest(d.ancestor_ids[$5::int + 1:]) WITH ORDINALITY AS path (id, at) ORDER BY path.at
  )`,
  path: '$6::text || substr(d.path, length($7::text) + 1)',
  state: 'coalesce($8::text, d.state)',
  isTrashed: 'd.is_trashed OR $9::boolean',
  position: 'coalesce(placed.at, d.position)',
  aclId: '$10::uuid',
};

// Copies a subtree with its blobs, ACLs and members of collections. A single statement does all of this, so it sees one
// snapshot: the copy is consistent, regardless of what other transactions commit while it is being made.
//
// Plan: `source` selects the documents to copy, without comments and versions. `placed` numbers the children of ordered
// folders without gaps. `copied` inserts the documents; the root of the copy already exists. `blobs`, `governed`,
// `members` and `collected` copy the rows that refer to the documents; their new ids are computed by hashing, so the
// parts do not depend on each other. Members are locked before they are changed, in the same order as in all other
// transactions. ACLs set by workflow tasks are not copied (§4.7): a copy belongs to no workflow, so no task would ever
// end and remove them.
const copyQuery = statement('copy-tree', { longest: 'int4?', haveAcls: 'bool' })`
  WITH source AS MATERIALIZED (
    SELECT d.id, d.parent_id, d.position, CASE WHEN d.is_version THEN d.live_id ELSE d.id END AS governed_by,
      d.type = ANY($12::text[]) OR 'Orderable' = ANY(d.facets) AS is_ordered
    FROM document d
    WHERE d.repository = $1 AND (d.id = $2::uuid OR d.ancestor_ids @> ARRAY[$2::uuid])
      AND (d.id = $2::uuid OR (NOT d.is_version AND NOT ${isCommentSql('$11')}))
  ), placed AS (
    SELECT s.id, row_number() OVER (PARTITION BY s.parent_id ORDER BY s.position, s.id)::int AS at
    FROM source s JOIN source folder ON folder.id = s.parent_id AND folder.is_ordered
  ), copied AS (
    INSERT INTO document ${copyColumns('d', changed)}
    FROM source JOIN document d ON d.repository = $1 AND d.id = source.id LEFT JOIN placed ON placed.id = d.id
    WHERE d.id <> $2
    RETURNING octet_length(path) AS bytes
  ), blobs AS (
    INSERT INTO document_blob (repository, document_id, xpath, digest)
    SELECT b.repository, ${copyOf('b.document_id')}, b.xpath, b.digest
    FROM source JOIN document_blob b ON b.repository = $1 AND b.document_id = source.id
  ), governed AS (
    INSERT INTO document_acl (repository, document_id, acls)
    SELECT a.repository, ${copyOf('source.id')}, copied_acls.acls
    FROM source JOIN document_acl a ON a.repository = $1 AND a.document_id = source.governed_by
    CROSS JOIN jsonb_path_query_array(
      a.acls, '$[*] ? (!(@.name like_regex "^(routing|delegation|share)/"))'
    ) AS copied_acls (acls)
    WHERE copied_acls.acls <> '[]'
    RETURNING document_id
  ), members AS (
    SELECT m.collection_id, m.member_id, m.position FROM source
    JOIN collection_member m ON m.repository = $1 AND m.collection_id = source.id
    JOIN document d ON d.repository = $1 AND d.id = m.member_id
    ${topDown('NO KEY UPDATE')}
  ), changed AS (
    UPDATE document d SET system_token = d.system_token + 1
    FROM (SELECT DISTINCT member_id FROM members) member WHERE d.repository = $1 AND d.id = member.member_id
  ), collected AS (
    INSERT INTO collection_member (repository, collection_id, member_id, position)
    SELECT $1, ${copyOf('members.collection_id')}, members.member_id, members.position FROM members
  )
  SELECT (SELECT max(bytes) FROM copied) AS longest, EXISTS (SELECT FROM governed) AS "haveAcls"`;

interface TreeCopy {
  readonly document: DocumentRow;
  readonly copy: DocumentRow;
  /** A UUIDv7. The id of each copy is a hash of the salt and the id of its original. */
  readonly salt: string;
  readonly resetLifeCycle: boolean;
}

/**
 * Copies all documents below a document, except versions and comments. The row of the document itself has already been
 * copied; its blobs, ACLs and members are copied here as well.
 * @returns whether any copy has its own ACLs, so that effective ACLs have to be computed
 * @throws Invalid if a path becomes too long
 */
export async function copyTree(
  { db, services: { model } }: Scope,
  { document, copy, salt, resetLifeCycle }: TreeCopy,
): Promise<boolean> {
  const [done] = await db.query(copyQuery, [
    document.repository,
    document.id,
    salt,
    copy.ancestorIds,
    document.ancestorIds.length,
    copy.path,
    document.path,
    resetLifeCycle ? lifeCycle.initial : null,
    copy.isTrashed,
    copy.aclId,
    typesOfComments(model),
    typesWithFacet(model, 'Orderable'),
  ]);
  if ((done?.longest ?? 0) > maxPathBytes) {
    throw new Invalid(`The path of a copied document would be longer than ${maxPathBytes} bytes.`);
  }
  return done?.haveAcls ?? false;
}
