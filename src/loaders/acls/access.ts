import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { modelColumns, typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { Forbidden } from '../../errors.ts';
import { commentedId } from '../../model/comments/comment-tree.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope, ValueScope } from '../../scope.ts';
import type { Ace } from '../../security/acl.ts';
import { aceUsernames, isGranted } from '../../security/evaluate.ts';
import {
  isWritePermission,
  type Permission,
  permissions,
  permissionsGranting,
} from '../../security/permissions.ts';
import { quickForFewKeys } from '../batch.ts';
import type { DocumentRow } from '../documents/document-row.ts';

type Entries = readonly Ace[];

// ACEs of effective ACLs by id. An id is the hash of its content, so a cached value never expires and needs
// only a bound.
const known = new LRUCache<string, Entries>({
  maxSize: 1_000_000, // ACEs, of some 100 bytes each
  sizeCalculation: (entries) => entries.length + 1,
});

const missing = quickForFewKeys(statement('effective-acls', {
  ...modelColumns('EffectiveAcl', 'id'),
  entries: typed<Ace[]>('jsonb'),
})`
  SELECT id, entries FROM effective_acl WHERE repository = $1 AND id = ANY($2::uuid[])`);

type Asking = Pick<ValueScope, 'user'> & { readonly db: Pick<ValueScope['db'], 'query'> } & Partial<
    Pick<Scope, 'trial'>
  > & { readonly options: Pick<Scope['options'], 'repository'> };

/** Reads effective ACLs that are not cached in one statement. A deleted one grants nothing. */
function entriesById({ db, options }: Omit<Asking, 'user'>): DataLoader<string, Entries> {
  return new DataLoader(async (ids) => {
    const rows = await db.query(missing(ids), [options.repository, ids]);
    for (const { id, entries } of rows) known.set(id, entries);
    const found = new Map(rows.map(({ id, entries }) => [id, entries]));
    return ids.map((id) => found.get(id) ?? []);
  });
}

type Guarded = Pick<DocumentRow, 'aclId' | 'lockOwner'> &
  Partial<Pick<DocumentRow, 'id' | 'ancestorIds' | 'path' | 'isVersion'>>;

/** Comments change by rules of their own, whatever ACEs grant; ACEs decide who may read them. */
const isComment = ({ id, ancestorIds }: Guarded): boolean =>
  id !== undefined && ancestorIds !== undefined && commentedId({ id, ancestorIds }) !== undefined;

const isOfReading = (permission: Permission): boolean => permissionsGranting(permission).has('Read');

/** True when another user's lock denies the permission; administrators pass every lock. */
const isLockedFor = (
  { id, isAdministrator }: Scope['user'],
  { lockOwner }: Guarded,
  permission: Permission,
): boolean => lockOwner !== null && lockOwner !== id && !isAdministrator && isWritePermission(permission);

/** The permissions of a request's caller, at the time when the request began. */
export interface Access {
  readonly now: string;
  entries(aclId: string): Promise<Entries>;
  may(document: Pick<Guarded, 'aclId' | 'id'>, permission: Permission): Promise<boolean>;
  /** All permissions of the caller on a document, its lock included; at once where nothing must be read. */
  permissionsOn(document: Guarded): Permission[] | Promise<Permission[]>;
}

/** Evaluates each permission and ACL once; administrators need no evaluation. */
export function createAccess({ db, options, user, trial }: Asking): Access {
  const loader = entriesById({ db, options });
  const now = new Date().toISOString();
  const entries = async (aclId: string) => known.get(aclId) ?? loader.load(aclId);
  if (user.isAdministrator) {
    const may: Access['may'] = async ({ id }, permission) => {
      if (id !== undefined) trial?.onCheck(id, permission);
      return true;
    };
    return { now, entries, may, permissionsOn: () => permissions };
  }
  const subject = { names: new Set(aceUsernames(user)), now };
  const answers = new Map<string, Promise<boolean>>();
  const lists = new Map<string, Promise<Permission[]>>();
  const may: Access['may'] = ({ aclId }, permission) => {
    const key = `${permission} ${aclId}`;
    const answer = answers.get(key) ?? entries(aclId).then((found) => isGranted(found, subject, permission));
    answers.set(key, answer);
    return answer;
  };
  const list = async (aclId: string): Promise<Permission[]> => {
    const found = await entries(aclId);
    return permissions.filter((permission) => isGranted(found, subject, permission));
  };
  const held: Access['permissionsOn'] = (document) => {
    const { aclId, lockOwner } = document;
    const answer = lists.get(aclId) ?? list(aclId);
    lists.set(aclId, answer);
    const isOwn = !isComment(document);
    if (isOwn && lockOwner === null) return answer;
    return answer.then((all) =>
      all.filter(
        (permission) => !isLockedFor(user, document, permission) && (isOwn || isOfReading(permission)),
      ),
    );
  };
  return { now, entries, may, permissionsOn: held };
}

/** Versions need a permission of their own to be read (§2.5). */
export const readPermissionFor = ({ isVersion }: Pick<DocumentRow, 'isVersion'>): Permission =>
  isVersion ? 'ReadVersion' : 'Read';

/**
 * The error for a missing permission. The text begins as that of the reference implementation, whose clients look for it.
 * @param document the document that the permission is missing on. Its path is named only when it is passed: pass it
 *   only when the caller addressed the document by it, or can read the document.
 */
export const notGranted = (
  { user }: Pick<Scope, 'user'>,
  permission: Permission,
  document?: { readonly id: string; readonly path?: string | undefined },
): Forbidden =>
  new Forbidden(
    `Privilege '${permission}' is not granted to '${user.id}'${document ? ` on the ${documentText(document)}` : ''}.`,
    { about: { permission, user: user.id, ...(document && { document: document.id }) } },
  );

const documentText = ({ id, path }: { readonly id: string; readonly path?: string | undefined }): string =>
  path === undefined ? `document with the id ${id}` : `document at ${path}`;

/** How an error names a document: by its path if the caller can read it, by its id alone otherwise. */
async function nameable(
  access: Access,
  { id, path, isVersion, aclId }: Guarded,
): Promise<{ readonly id: string; readonly path?: string } | undefined> {
  if (id === undefined) return undefined;
  const isShown = path !== undefined && isVersion === false && (await access.may({ id, aclId }, 'Read'));
  return isShown ? { id, path } : { id };
}

/** The error for a permission that is missing on a document which the caller may or may not read. */
export const notGrantedOn = async (
  caller: Pick<Scope, 'user'>,
  access: Access,
  permission: Permission,
  document: Guarded,
): Promise<Forbidden> => notGranted(caller, permission, await nameable(access, document));

/** Stands for the properties of an unreadable document: absent, not even null. */
export const hiddenProperties: StoredProperties = Object.freeze({});

/** The answer to a write: a caller with WriteProperties and without Read gets no properties. */
export async function redactUnreadable(access: Access, row: DocumentRow): Promise<DocumentRow> {
  if (await access.may(row, readPermissionFor(row))) return row;
  return { ...row, properties: hiddenProperties, title: row.name };
}

type PermissionCheck = readonly [document: Guarded, permission: Permission];

type PermissionScope = Pick<Scope, 'db' | 'options' | 'user'> & Partial<Pick<Scope, 'trial'>>;

/** @throws Forbidden when the caller lacks a permission, or another user's lock denies it. */
export async function requirePermissions(
  caller: PermissionScope,
  wishes: readonly PermissionCheck[],
): Promise<void> {
  const access = createAccess(caller);
  const granted = await Promise.all(wishes.map(([document, permission]) => access.may(document, permission)));
  const missing = wishes[granted.indexOf(false)];
  if (missing) throw await notGrantedOn(caller, access, missing[1], missing[0]);
  const locked = wishes.find(([document, permission]) => isLockedFor(caller.user, document, permission));
  if (locked) {
    const [document] = locked;
    const { lockOwner } = document;
    const named = await nameable(access, document);
    throw new Forbidden(`The ${named ? documentText(named) : 'document'} is locked by '${lockOwner}'.`, {
      about: { user: caller.user.id, ...(lockOwner !== null && { lockOwner }), document: document.id },
    });
  }
  const kept =
    !caller.user.isAdministrator &&
    wishes.find(([document, wish]) => !isOfReading(wish) && isComment(document));
  if (kept) throw new Forbidden(`${kept[0].id} is a comment: it changes by its author's @comment`);
}

/** @throws Forbidden */
export const requirePermission = (
  caller: PermissionScope,
  document: Guarded,
  permission: Permission,
): Promise<void> => requirePermissions(caller, [[document, permission]]);
