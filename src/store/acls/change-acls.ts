import { isDeepStrictEqual } from 'node:util';
import { Conflict, Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { concern } from '../../model/inbox.ts';
import type { Scope } from '../../scope.ts';
import { everyone, isGuest, localAclName, type NamedAcl } from '../../security/acl.ts';
import type { AclChange } from '../../security/change-acls.ts';
import { administrators } from '../../security/principal.ts';
import { recordEvents } from '../audit/audit.ts';
import { type Preconditions, requirePreconditions } from '../documents/mutability.ts';
import { lockAncestors } from '../row-locks/lock-ancestors.ts';
import { lockDocument } from '../row-locks/lock-document.ts';
import { maxAces, requireComments } from './aces.ts';
import { assignEffectiveAcls } from './assign-effective-acls.ts';
import { notifyGrantees } from './notify-grantees.ts';

async function aclsOf({ db }: Scope, { repository, id }: DocumentRow): Promise<readonly NamedAcl[]> {
  const where = { repository_documentId: { repository, documentId: id } };
  const found = await db.prisma.documentAcl.findUnique({ where });
  return (found?.acls ?? []) as unknown as NamedAcl[];
}

async function writeAcls(
  { db }: Scope,
  { repository, id }: DocumentRow,
  acls: readonly NamedAcl[],
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

const commentsIn = (acls: readonly NamedAcl[]): string[] =>
  acls.flatMap(({ aces }) => aces.flatMap(({ comment }) => comment ?? []));

const acesIn = (acls: readonly NamedAcl[]): number => acls.flatMap(({ aces }) => aces).length;

/**
 * Returns the kinds of ACLs that differ, such as `local` and `routing`. The kind is the ACL's name without the id of a
 * task or a link.
 */
function changedKinds(before: readonly NamedAcl[], after: readonly NamedAcl[]): string[] {
  const acesOf = (acls: readonly NamedAcl[], wanted: string) =>
    acls.find(({ name }) => name === wanted)?.aces;
  const names = new Set([...before, ...after].map(({ name }) => name));
  const changed = [...names].filter((name) => !isDeepStrictEqual(acesOf(before, name), acesOf(after, name)));
  return [...new Set(changed.map((name) => name.split('/', 1)[0] ?? name))];
}

/** The maximum number of users and groups in whose inboxes a change of ACLs is shown. */
const maxGrantees = 200;

/**
 * Returns the users and groups with whom a change shares the document: those to whom the local ACL grants something for
 * the first time. Everyone and administrators are left out, because they are not addressed personally.
 */
function newGrantees(before: readonly NamedAcl[], after: readonly NamedAcl[]): string[] {
  const grantees = (acls: readonly NamedAcl[]) =>
    acls
      .filter(({ name }) => name === localAclName)
      .flatMap(({ aces }) => aces.flatMap(({ granted, username }) => (granted ? username : [])));
  const known = new Set([...grantees(before), everyone, administrators]);
  return grantees(after)
    .filter((name) => !known.has(name) && !isGuest(name))
    .slice(0, maxGrantees);
}

/**
 * Changes the ACLs of a document and the effective ACLs of its subtree. The document and its ancestors are locked, so
 * that changes along one path of the tree run one after the other: otherwise, two concurrent changes would each compute
 * effective ACLs without taking the other change into account.
 * @throws NotFound, Forbidden, PreconditionFailed; Conflict if the document was moved before it could be locked;
 * Unprocessable if a comment is too long; TooManyRequests if the caller has sent too many emails
 */
export async function changeAcls(
  scope: Scope,
  reference: DocumentReference,
  change: AclChange,
  conditions: Preconditions = {},
): Promise<DocumentRow> {
  const ancestorIds = await lockAncestors(scope, reference);
  const document = await lockDocument(scope, reference, { mode: 'UPDATE', needs: 'WriteSecurity' });
  if (!isDeepStrictEqual(ancestorIds, document.ancestorIds)) {
    throw new Conflict(`The document ${document.id} was moved in the meantime. Try again.`);
  }
  requirePreconditions(document, conditions);
  const before = await aclsOf(scope, document);
  const after = change(before);
  if (isDeepStrictEqual(after, before)) return document;
  if (acesIn(after) > Math.max(acesIn(before), maxAces))
    throw new Invalid(
      `The document ${document.id} would have ${acesIn(after)} ACEs; the maximum is ${maxAces}.`,
    );
  requireComments(scope, commentsIn(after), commentsIn(before));
  await writeAcls(scope, document, after);
  await recordEvents(scope, [
    {
      eventId: 'documentSecurityUpdated',
      document,
      extended: { acls: changedKinds(before, after) },
      concerns: newGrantees(before, after).map((name) => concern('share', name)),
    },
  ]);
  const { repository, id } = document;
  const aclId = await assignEffectiveAcls(scope.db, { repository, id });
  await notifyGrantees(scope, document, { before, after });
  return { ...document, aclId };
}
