import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { modelColumns, typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { Forbidden } from '../../errors.ts';
import { commentedId } from '../../model/comments/comment-tree.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope, ValueScope } from '../../scope.ts';
import { type Ace, isGuest } from '../../security/acl.ts';
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

// Caches the ACEs of effective ACLs by id. The id is the hash of the ACEs, so a cached value never becomes outdated; the
// cache only needs a maximum size.
const cachedEntries = new LRUCache<string, Entries>({
  maxSize: 1_000_000, // ACEs of about 100 bytes each
  sizeCalculation: (entries) => entries.length + 1,
});

const effectiveAclsQuery = quickForFewKeys(statement('effective-acls', {
  ...modelColumns('EffectiveAcl', 'id'),
  entries: typed<Ace[]>('jsonb'),
})`
  SELECT id, entries FROM effective_acl WHERE repository = $1 AND id = ANY($2::uuid[])`);

type AccessScope = Pick<ValueScope, 'user'> & { readonly db: Pick<ValueScope['db'], 'query'> } & Partial<
    Pick<Scope, 'trial'>
  > & { readonly options: Pick<Scope['options'], 'repository'> };

/** Returns a loader for effective ACLs that are not cached. An ACL that no longer exists grants nothing. */
function entriesById({ db, options }: Omit<AccessScope, 'user'>): DataLoader<string, Entries> {
  return new DataLoader(async (ids) => {
    const rows = await db.query(effectiveAclsQuery(ids), [options.repository, ids]);
    for (const { id, entries } of rows) cachedEntries.set(id, entries);
    const found = new Map(rows.map(({ id, entries }) => [id, entries]));
    return ids.map((id) => found.get(id) ?? []);
  });
}

/**
 * The fields of a document that permission checks use. `id` and `ancestorIds` are needed for comments, `path` for
 * messages.
 */
type Guarded = Pick<DocumentRow, 'aclId' | 'lockOwner'> &
  Partial<Pick<DocumentRow, 'id' | 'ancestorIds' | 'path' | 'isVersion'>>;

/**
 * Whether a document is a comment. ACEs decide who can read a comment, but they never allow anybody to change it: only
 * `@comment` can do that, and it applies its own rules.
 */
const isComment = ({ id, ancestorIds }: Guarded): boolean =>
  id !== undefined && ancestorIds !== undefined && commentedId({ id, ancestorIds }) !== undefined;

const isGrantedToReaders = (permission: Permission): boolean => permissionsGranting(permission).has('Read');

/** Whether a lock held by another user denies the permission. Locks do not apply to administrators. */
const isLockedFor = (
  { id, isAdministrator }: Scope['user'],
  { lockOwner }: Guarded,
  permission: Permission,
): boolean => lockOwner !== null && lockOwner !== id && !isAdministrator && isWritePermission(permission);

/** The permissions of the user who sent a request, evaluated as of the start of the request. */
export interface Access {
  /** The start of the request, in ISO 8601. The dates of ACEs are compared with it. */
  readonly now: string;
  /** The ACEs of an effective ACL. */
  entries(aclId: string): Promise<Entries>;
  /** Whether the caller has a permission on a document, regardless of locks. */
  may(document: Pick<Guarded, 'aclId' | 'id'>, permission: Permission): Promise<boolean>;
  /** The ids of some effective ACLs that are known to grant Read; empty for administrators. */
  readable(): readonly string[];
  /**
   * All permissions of the caller on a document, taking its lock into account. Returns a promise only if ACEs have to
   * be read.
   */
  permissionsOn(document: Guarded): Permission[] | Promise<Permission[]>;
}

/**
 * The maximum number of effective ACLs that `readable` returns. It is small because statements compare each document
 * with all of them.
 */
const maxReadable = 8;

/**
 * Creates an `Access` that evaluates each permission at most once per effective ACL. For administrators, it grants all
 * permissions without reading ACLs.
 */
export function createAccess({ db, options, user, trial }: AccessScope): Access {
  const loader = entriesById({ db, options });
  const now = new Date().toISOString();
  const entries = async (aclId: string) => cachedEntries.get(aclId) ?? loader.load(aclId);
  if (user.isAdministrator) {
    const may: Access['may'] = async ({ id }, permission) => {
      if (id !== undefined) trial?.onCheck(id, permission);
      return true;
    };
    return { now, entries, may, readable: () => [], permissionsOn: () => permissions };
  }
  const subject = { names: new Set(aceUsernames(user)), now };
  const answers = new Map<string, Promise<boolean>>();
  const readable: string[] = [];
  const lists = new Map<string, Promise<Permission[]>>();
  const may: Access['may'] = ({ aclId }, permission) => {
    const key = `${permission} ${aclId}`;
    const known = answers.get(key);
    if (known) return known;
    const answer = entries(aclId).then((found) => {
      const is = isGranted(found, subject, permission);
      if (is && permission === 'Read' && readable.length < maxReadable) readable.push(aclId);
      return is;
    });
    answers.set(key, answer);
    return answer;
  };
  const list = async (aclId: string): Promise<Permission[]> => {
    const found = await entries(aclId);
    return permissions.filter((permission) => isGranted(found, subject, permission));
  };
  const permissionsOn: Access['permissionsOn'] = (document) => {
    const { aclId, lockOwner } = document;
    const answer = lists.get(aclId) ?? list(aclId);
    lists.set(aclId, answer);
    const isChangeable = !isComment(document);
    if (isChangeable && lockOwner === null) return answer;
    return answer.then((all) =>
      all.filter(
        (permission) =>
          !isLockedFor(user, document, permission) && (isChangeable || isGrantedToReaders(permission)),
      ),
    );
  };
  return { now, entries, may, readable: () => readable, permissionsOn };
}

/** The permission that reading a document requires: ReadVersion for versions, Read for all others (§2.5). */
export const readPermissionFor = ({ isVersion }: Pick<DocumentRow, 'isVersion'>): Permission =>
  isVersion ? 'ReadVersion' : 'Read';

/**
 * The error for a missing permission. Its message begins like that of the reference implementation, because clients
 * look for that wording.
 * @param document the document on which the permission is missing. Pass its path only if the caller addressed the
 * document by path or can read it, because the message reveals the path.
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

/**
 * Returns the fields of a document that an error message can reveal: the path if the user can read the document, and
 * otherwise only the id.
 */
async function nameable(
  { user }: Pick<Scope, 'user'>,
  access: Access,
  { id, path, isVersion, aclId }: Guarded,
): Promise<{ readonly id: string; readonly path?: string } | undefined> {
  if (id === undefined) return undefined;
  const hasPath = path !== undefined && isVersion === false && !isGuest(user.id);
  const isShown = hasPath && (await access.may({ id, aclId }, 'Read'));
  return isShown ? { id, path } : { id };
}

/**
 * Creates the error for a missing permission. It reveals the path of the document only to callers who can read it.
 */
export const notGrantedOn = async (
  caller: Pick<Scope, 'user'>,
  access: Access,
  permission: Permission,
  document: Guarded,
): Promise<Forbidden> => notGranted(caller, permission, await nameable(caller, access, document));

/** Replaces the properties of an unreadable document. Responses contain none of its properties, not even as null. */
export const hiddenProperties: StoredProperties = Object.freeze({});

/**
 * Returns the document for the response to a write, omitting its properties if the caller has WriteProperties but not
 * Read.
 */
export async function redactUnreadable(access: Access, row: DocumentRow): Promise<DocumentRow> {
  if (await access.may(row, readPermissionFor(row))) return row;
  return { ...row, properties: hiddenProperties, title: row.name };
}

type PermissionCheck = readonly [document: Guarded, permission: Permission];

type PermissionScope = Pick<Scope, 'db' | 'options' | 'user'> & Partial<Pick<Scope, 'trial'>>;

/**
 * Checks several permissions and reports the first one that is missing.
 * @throws Forbidden if the caller lacks a permission, if another user's lock denies it, or if the permission would
 * allow a comment to be changed
 */
export async function requirePermissions(
  caller: PermissionScope,
  checks: readonly PermissionCheck[],
): Promise<void> {
  const access = createAccess(caller);
  const granted = await Promise.all(checks.map(([document, permission]) => access.may(document, permission)));
  const missing = checks[granted.indexOf(false)];
  if (missing) throw await notGrantedOn(caller, access, missing[1], missing[0]);
  const locked = checks.find(([document, permission]) => isLockedFor(caller.user, document, permission));
  if (locked) {
    const [document] = locked;
    const { lockOwner } = document;
    const named = await nameable(caller, access, document);
    throw new Forbidden(`The ${named ? documentText(named) : 'document'} is locked by '${lockOwner}'.`, {
      about: { user: caller.user.id, ...(lockOwner !== null && { lockOwner }), document: document.id },
    });
  }
  const ofComment =
    !caller.user.isAdministrator &&
    checks.find(([document, permission]) => !isGrantedToReaders(permission) && isComment(document));
  if (ofComment)
    throw new Forbidden(
      `The document ${ofComment[0].id} is a comment. Comments can only be changed through @comment.`,
    );
}

/** `requirePermissions` for a single permission. @throws Forbidden */
export const requirePermission = (
  caller: PermissionScope,
  document: Guarded,
  permission: Permission,
): Promise<void> => requirePermissions(caller, [[document, permission]]);
