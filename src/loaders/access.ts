import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { quickForFew } from '../db/quick.ts';
import { Forbidden } from '../errors.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import type { Ace } from '../security/acl.ts';
import { isGranted, namesOf } from '../security/evaluate.ts';
import { isWriting, type Permission, permissions } from '../security/permissions.ts';
import type { DocumentRow } from './document-row.ts';

type Entries = readonly Ace[];

/**
 * The ACEs of effective ACLs by id, for the whole process. An id is the hash of its content: what is kept here is
 * right for ever, whatever the database and the repository, and needs no more than a bound.
 */
const known = new LRUCache<string, Entries>({
  maxSize: 1_000_000, // ACEs, of some 100 bytes each
  sizeCalculation: (entries) => entries.length + 1,
});

const missing = quickForFew({
  name: 'effective-acls',
  text: `SELECT id, entries FROM effective_acl WHERE repository = $1 AND id = ANY($2::uuid[])`,
});

/** Effective ACLs by id: those that this process has not seen yet in one statement. One that is gone grants nothing. */
function entriesById({ db, options }: Pick<Scope, 'db' | 'options'>): DataLoader<string, Entries> {
  return new DataLoader(async (ids) => {
    const rows = await db.query<{ id: string; entries: Ace[] }>(missing(ids), [options.repository, ids]);
    for (const { id, entries } of rows) known.set(id, entries);
    const found = new Map(rows.map(({ id, entries }) => [id, entries]));
    return ids.map((id) => found.get(id) ?? []);
  });
}

/** What decides about who may do what with a document. */
type Guarded = Pick<DocumentRow, 'aclId' | 'lockOwner'>;

/** Whether somebody else's lock denies a permission; it does not to administrators. */
const isLockedFor = (
  { id, isAdministrator }: Scope['user'],
  { lockOwner }: Guarded,
  permission: Permission,
): boolean => lockOwner !== null && lockOwner !== id && !isAdministrator && isWriting(permission);

/** What the caller of a request may do, at the moment when the request began. */
export interface Access {
  /** The moment, as times of ACEs are written. */
  readonly now: string;
  /** The ACEs of an effective ACL. */
  entries(aclId: string): Promise<Entries>;
  /** Whether the caller has a permission on the documents that point to this effective ACL. */
  may(aclId: string, permission: Permission): Promise<boolean>;
  /** All permissions that the caller has on a document, its lock considered. */
  held(document: Guarded): Promise<Permission[]>;
}

/** What the caller may do: found out once for each permission and ACL, administrators may everything at no cost. */
export function createAccess({ db, options, user }: Pick<Scope, 'db' | 'options' | 'user'>): Access {
  const loader = entriesById({ db, options });
  const now = new Date().toISOString();
  const entries = async (aclId: string) => known.get(aclId) ?? loader.load(aclId);
  if (user.isAdministrator) {
    return { now, entries, may: async () => true, held: async () => permissions };
  }
  const subject = { names: new Set(namesOf(user)), now };
  const answers = new Map<string, Promise<boolean>>();
  const lists = new Map<string, Promise<Permission[]>>();
  const may: Access['may'] = (aclId, permission) => {
    const key = `${permission} ${aclId}`;
    const answer = answers.get(key) ?? entries(aclId).then((found) => isGranted(found, subject, permission));
    answers.set(key, answer);
    return answer;
  };
  const list = async (aclId: string): Promise<Permission[]> => {
    const found = await entries(aclId);
    return permissions.filter((permission) => isGranted(found, subject, permission));
  };
  const held: Access['held'] = async (document) => {
    const { aclId } = document;
    const answer = lists.get(aclId) ?? list(aclId);
    lists.set(aclId, answer);
    return (await answer).filter((permission) => !isLockedFor(user, document, permission));
  };
  return { now, entries, may, held };
}

/** What a document must grant to be read: versions have a permission of their own (§2.5). */
export const toRead = ({ isVersion }: Pick<DocumentRow, 'isVersion'>): Permission =>
  isVersion ? 'ReadVersion' : 'Read';

/** Why somebody is turned away. */
export const notGranted = ({ user }: Pick<Scope, 'user'>, permission: Permission): Forbidden =>
  new Forbidden(`Privilege '${permission}' is not granted to '${user.id}'`);

/** The properties of a document that somebody is shown who may not read it: they are not told, not even as unset. */
export const unread: StoredProperties = Object.freeze({});

/**
 * A document as somebody sees it who has just written it: whoever may not read it learns nothing of its properties,
 * though he may change them.
 */
export async function asSeen(access: Access, row: DocumentRow): Promise<DocumentRow> {
  if (await access.may(row.aclId, toRead(row))) return row;
  return { ...row, properties: unread, title: row.name };
}

/** A document, and what somebody is about to do with it. */
export type Wish = readonly [document: Guarded, permission: Permission];

type Caller = Pick<Scope, 'db' | 'options' | 'user'>;

/** @throws Forbidden when the caller lacks one of these permissions, or somebody else's lock denies it. */
export async function requirePermissions(caller: Caller, wishes: readonly Wish[]): Promise<void> {
  const access = createAccess(caller);
  const granted = await Promise.all(wishes.map(([{ aclId }, permission]) => access.may(aclId, permission)));
  const missing = wishes[granted.indexOf(false)];
  if (missing) throw notGranted(caller, missing[1]);
  const locked = wishes.find(([document, permission]) => isLockedFor(caller.user, document, permission));
  if (locked) throw new Forbidden(`the document is locked by '${locked[0].lockOwner}'`);
}

/** @throws Forbidden when the caller does not have the permission on a document, or somebody else has locked it. */
export const requirePermission = (caller: Caller, document: Guarded, permission: Permission): Promise<void> =>
  requirePermissions(caller, [[document, permission]]);
