import type { Query } from '../db/database.ts';
import { Invalid } from '../errors.ts';
import { sqlHashId } from '../hash-id.ts';
import { columns, type DocumentRow } from '../loaders/document-row.ts';
import { lifeCycle } from '../model/life-cycle.ts';
import { longestPath } from '../model/names.ts';
import type { Scope } from '../scope.ts';

type Field = keyof DocumentRow;

/** What a copy starts with, whatever it is a copy of: a document that nobody has locked, nor made a version of. */
export const fresh = {
  ...{ majorVersion: 0, minorVersion: 0, isCheckedOut: true, baseVersionId: null },
  ...{ isVersion: false, isLatestVersion: false, isLatestMajorVersion: false },
  ...{ versionCreated: null, versionComment: null, lockOwner: null, lockCreated: null },
  ...{ systemToken: 0, userToken: 0 },
} as const satisfies Partial<DocumentRow>;

/** The id of a copy, of which the salt of the copying and the id of the document decide. */
const copyOf = (id: string): string => sqlHashId(`$3::text || ${id}::text`);

/** The columns of a copy that are not those of the document `d`. */
const changed: Partial<Record<Field, string>> = {
  ...Object.fromEntries(
    Object.entries(fresh).map(([field, value]) => [field, `${value}::${columns[field as Field].type}`]),
  ),
  // A proxy goes on showing its version.
  majorVersion: 'CASE WHEN d.is_proxy THEN d.major_version ELSE 0 END',
  minorVersion: 'CASE WHEN d.is_proxy THEN d.minor_version ELSE 0 END',
  isCheckedOut: 'NOT d.is_proxy',
  id: copyOf('d.id'),
  parentId: copyOf('d.parent_id'),
  ancestorIds: `$4::uuid[] || ARRAY(
    SELECT ${copyOf('way.id')} FROM unnest(d.ancestor_ids[$5::int + 1:]) WITH ORDINALITY AS way (id, at) ORDER BY way.at
  )`,
  path: '$6::text || substr(d.path, length($7::text) + 1)',
  state: 'coalesce($8::text, d.state)',
  isTrashed: 'd.is_trashed OR $9::boolean',
  aclId: '$10::uuid',
};

const fields = Object.keys(columns) as Field[];

/**
 * Copies what is below a document, with the blobs and ACLs of all and the members of collections, which show that they
 * are in the copies too, in one statement: all of it is seen as it was at one moment, whatever others do meanwhile.
 */
const copyQuery: Query = {
  name: 'copy-tree',
  text: `
    WITH source AS MATERIALIZED (
      SELECT d.id FROM document d
      WHERE d.repository = $1 AND (d.id = $2::uuid OR d.ancestor_ids @> ARRAY[$2::uuid]) AND NOT d.is_version
    ), copied AS (
      INSERT INTO document (${fields.map((field) => columns[field].column).join(', ')})
      SELECT ${fields.map((field) => changed[field] ?? `d.${columns[field].column}`).join(', ')}
      FROM source JOIN document d ON d.repository = $1 AND d.id = source.id WHERE d.id <> $2
      RETURNING octet_length(path) AS bytes
    ), blobs AS (
      INSERT INTO document_blob (repository, document_id, xpath, digest)
      SELECT b.repository, ${copyOf('b.document_id')}, b.xpath, b.digest
      FROM source JOIN document_blob b ON b.repository = $1 AND b.document_id = source.id
    ), governed AS (
      INSERT INTO document_acl (repository, document_id, acls)
      SELECT a.repository, ${copyOf('a.document_id')}, a.acls
      FROM source JOIN document_acl a ON a.repository = $1 AND a.document_id = source.id
      RETURNING document_id
    ), held AS (
      SELECT m.collection_id, m.member_id, m.position FROM source
      JOIN collection_member m ON m.repository = $1 AND m.collection_id = source.id
      JOIN document d ON d.repository = $1 AND d.id = m.member_id
      ORDER BY cardinality(d.ancestor_ids), d.id FOR NO KEY UPDATE OF d
    ), told AS (
      UPDATE document d SET system_token = d.system_token + 1
      FROM (SELECT DISTINCT member_id FROM held) member WHERE d.repository = $1 AND d.id = member.member_id
    ), collected AS (
      INSERT INTO collection_member (repository, collection_id, member_id, position)
      SELECT $1, ${copyOf('held.collection_id')}, held.member_id, held.position FROM held
    )
    SELECT (SELECT max(bytes) FROM copied) AS longest, EXISTS (SELECT FROM governed) AS "haveAcls"`,
};

/** What is copied, and the copy of the top document, which is there already. */
export interface TreeCopy {
  readonly document: DocumentRow;
  readonly copy: DocumentRow;
  /** What the ids of the copies follow from, together with those of the documents. */
  readonly salt: string;
  readonly resetLifeCycle: boolean;
}

/**
 * Copies all that is below a document, versions left out, and the blobs, ACLs and members of the document itself.
 * @returns whether any of the copies has ACLs of its own, so that others count there than on the top one's folder.
 * @throws Invalid when a path became too long.
 */
export async function copyTree(
  { db }: Scope,
  { document, copy, salt, resetLifeCycle }: TreeCopy,
): Promise<boolean> {
  const [done] = await db.query<{ longest: number | null; haveAcls: boolean }>(copyQuery, [
    ...[document.repository, document.id, salt, copy.ancestorIds, document.ancestorIds.length],
    ...[copy.path, document.path, resetLifeCycle ? lifeCycle.initial : null, copy.isTrashed, copy.aclId],
  ]);
  if ((done?.longest ?? 0) > longestPath) {
    throw new Invalid(`a path would be longer than ${longestPath} bytes`);
  }
  return done?.haveAcls ?? false;
}
