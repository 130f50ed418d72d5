import { createHash } from 'node:crypto';
import type { Query } from '../db/database.ts';
import { Invalid } from '../errors.ts';
import { readDate } from '../model/read-value.ts';
import { requireStorable } from '../model/storable.ts';
import type { Scope } from '../scope.ts';
import { type Ace, everyone, guests, inherited, local } from '../security/acl.ts';
import { isPermission } from '../security/permissions.ts';

/** What an ACE says besides whom it is about; times are W3C date-times. */
export interface Grant {
  readonly permission: string;
  /** `false` denies. */
  readonly granted?: boolean | null | undefined;
  readonly begin?: string | null | undefined;
  readonly end?: string | null | undefined;
  /** Whether the user is told once it becomes effective, and with which words. */
  readonly notify?: boolean | null | undefined;
  readonly comment?: string | null | undefined;
}

/** Which ACL is meant: `local` when absent. */
export interface AclName {
  readonly acl?: string | null | undefined;
}

/** An ACE of one user or group. */
export interface NewAce extends Grant {
  readonly username: string;
}

/** @throws Invalid for a name that no document's own ACL can have. */
export function aclName({ acl }: AclName): string {
  const name = acl ?? local;
  requireStorable(name);
  if (name.trim() === '' || name === inherited) throw new Invalid(`"${name}" is no ACL of a document's own`);
  return name;
}

/** ACEs know whole seconds. */
function readTime(time: string | null | undefined, name: string): string | null {
  if (time === null || time === undefined) return null;
  return `${readDate(time, name).slice(0, 19)}.000Z`;
}

/** @throws Invalid on a permission that there is not, and on a time that is none or out of order. */
export function readAce(username: string, grant: Grant, creator: string): Ace {
  const { permission, granted, notify, comment } = grant;
  requireStorable(comment);
  if (!isPermission(permission)) throw new Invalid(`Permission ${permission} is invalid.`);
  const [begin, end] = [readTime(grant.begin, 'begin'), readTime(grant.end, 'end')];
  if (begin !== null && end !== null && begin > end)
    throw new Invalid(`begin: ${begin} is after end, ${end}`);
  return {
    ...{ username, permission, granted: granted ?? true, creator, begin, end },
    ...(notify && { notify }),
    ...(comment && { comment }),
  };
}

const namesQuery: Query = {
  name: 'unknown-names',
  text: `
    SELECT wanted.name FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, position)
    WHERE NOT EXISTS (SELECT FROM "user" u WHERE u.id = wanted.name)
      AND NOT EXISTS (SELECT FROM "group" g WHERE g.id = wanted.name)
    ORDER BY wanted.position`,
};

const mail = /^[^\s@/]+@[^\s@/]+$/;

/** The name of a guest, who is nobody but whoever reads mail there; one address is one guest. */
function guest(email: string): string {
  const address = email.trim().toLowerCase();
  if (!mail.test(address)) throw new Invalid(`email: "${email}" is no e-mail address`);
  return `${guests}${address}/${createHash('sha256').update(address).digest('hex').slice(0, 16)}`;
}

/** Whether it is the name of a guest. */
const isGuest = (name: string): boolean => {
  const [prefix, email = ''] = name.split('/');
  return `${prefix}/` === guests && mail.test(email) && guest(email) === name;
};

/** @throws Invalid naming those that are neither a user nor a group, a guest nor everyone. */
export async function requireNames({ db }: Scope, names: readonly string[]): Promise<void> {
  requireStorable(names);
  const wanted = [...new Set(names)].filter((name) => name !== everyone && !isGuest(name));
  if (wanted.length === 0) return;
  const unknown = await db.query<{ name: string }>(namesQuery, [wanted]);
  if (unknown.length === 0) return;
  const list = unknown.map(({ name }) => name).join(', ');
  throw new Invalid(
    `The following set of User or Group names do not exist: [${list}]. Please provide valid ones.`,
  );
}

/** Whom a permission is for: users and groups by name, or a guest by e-mail. */
export interface Grantees {
  readonly users?: readonly string[] | null | undefined;
  readonly email?: string | null | undefined;
}

/** @throws Invalid when nobody is named, somebody whom there is not, or a guest without an end. */
export async function grantees(scope: Scope, { users, email }: Grantees, { end }: Grant): Promise<string[]> {
  if (users && users.length > 0) {
    await requireNames(scope, users);
    return [...users];
  }
  if (!email) throw new Invalid("'users' or 'email' parameters must be set");
  if (!end) throw new Invalid("'end' parameter must be set when adding a permission for an 'email'");
  return [guest(email)];
}
