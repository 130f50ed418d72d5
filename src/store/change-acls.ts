import { isDeepStrictEqual } from 'node:util';
import type { Query } from '../db/database.ts';
import { Conflict } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { isUuid } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import type { Acl } from '../security/acl.ts';
import type { AclChange } from '../security/change-acls.ts';
import { record } from './audit.ts';
import { addressOf, type DocumentReference, lockDocument } from './lock-document.ts';
import { pointToAcls } from './point-to-acls.ts';

const aboveQuery = (by: 'id' | 'path'): Query => ({
  name: `hold-above-${by}`,
  text: `
    SELECT a.id FROM document d JOIN document a ON a.repository = d.repository AND a.id = ANY(d.ancestor_ids)
    WHERE d.repository = $1 AND ${by === 'id' ? 'd.id = $2::uuid' : 'd.path = $2 AND NOT d.is_version'}
    ORDER BY cardinality(a.ancestor_ids) FOR KEY SHARE OF a`,
});

const above = { id: aboveQuery('id'), path: aboveQuery('path') };

/**
 * Holds the ancestors of a document, from the top down, so that the ACLs of none of them are changed meanwhile; they
 * can be changed otherwise, and documents can be created there.
 */
async function holdAbove({ db, options }: Scope, reference: DocumentReference): Promise<string[]> {
  const { by, value } = addressOf(reference);
  const isPossible = by === 'id' ? isUuid(value) : !value.includes('\0');
  const rows = isPossible ? await db.query<{ id: string }>(above[by], [options.repository, value]) : [];
  return rows.map(({ id }) => id);
}

/** The ACLs that a document has itself. */
async function aclsOf({ db }: Scope, { repository, id }: DocumentRow): Promise<readonly Acl[]> {
  const where = { repository_documentId: { repository, documentId: id } };
  const found = await db.prisma.documentAcl.findUnique({ where });
  return (found?.acls ?? []) as unknown as Acl[];
}

async function writeAcls(
  { db }: Scope,
  { repository, id }: DocumentRow,
  acls: readonly Acl[],
): Promise<void> {
  const key = { repository, documentId: id };
  if (acls.length === 0) {
    await db.prisma.documentAcl.deleteMany({ where: key });
    return;
  }
  const data = { acls: JSON.parse(JSON.stringify(acls)) };
  await db.prisma.documentAcl.upsert({
    where: { repository_documentId: key },
    create: { ...key, ...data },
    update: data,
  });
}

/**
 * Changes the ACLs that a document has itself, and with them what counts on all documents below. Whoever changes the
 * ACLs of a document holds it and everything above: those of two documents, one above the other, change in turn.
 * @throws NotFound, Forbidden, Conflict when the document was moved meanwhile.
 */
export async function changeAcls(
  scope: Scope,
  reference: DocumentReference,
  change: AclChange,
): Promise<DocumentRow> {
  const held = await holdAbove(scope, reference);
  const document = await lockDocument(scope, reference, { hold: 'UPDATE', needs: 'WriteSecurity' });
  if (!isDeepStrictEqual(held, document.ancestorIds)) {
    throw new Conflict(`${document.id} was moved meanwhile`);
  }
  const before = await aclsOf(scope, document);
  const after = change(before);
  if (isDeepStrictEqual(after, before)) return document;
  await writeAcls(scope, document, after);
  await record(scope, [{ eventId: 'documentSecurityUpdated', document }]);
  const { repository, id } = document;
  return { ...document, aclId: await pointToAcls(scope.db, { repository, id }) };
}
