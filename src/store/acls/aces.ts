import { createHash } from 'node:crypto';
import { statement } from '../../db/statement.ts';
import { Invalid, joinFew, Unprocessable } from '../../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../../event-loop.ts';
import { requireShortName } from '../../model/names.ts';
import { checkValue, Findings } from '../../model/values/constraints.ts';

import { readDate } from '../../model/values/read-value.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope, Using, ValueScope } from '../../scope.ts';
import { type Ace, everyone, guestPrefix, inheritedAclName, localAclName } from '../../security/acl.ts';
import { isPermission } from '../../security/permissions.ts';

export interface AceGrant {
  readonly permission: string;
  readonly granted?: boolean | null | undefined;
  readonly begin?: string | null | undefined;
  readonly end?: string | null | undefined;
  /** Notifies the user when the ACE becomes effective, with the comment. */
  readonly notify?: boolean | null | undefined;
  readonly comment?: string | null | undefined;
}

/** `local` when absent. */
export interface AclName {
  readonly acl?: string | null | undefined;
}

export interface NewAce extends AceGrant {
  readonly username: string;
}

/** @throws Invalid for `inherited` and other impossible names. */
export function aclName({ acl }: AclName): string {
  const name = acl ?? localAclName;
  requireStorable(name);
  if (name.trim() === '' || name === inheritedAclName)
    throw new Invalid(`"${name.slice(0, 80)}" is no ACL of a document's own`);
  return name;
}

/** The name of an ACL that may be new. @throws Invalid for more than 255 characters too */
export function newAclName(named: AclName): string {
  const name = aclName(named);
  requireShortName('acl', name);
  return name;
}

/** Cut to whole seconds, which is all that an ACE keeps. */
function readTime(time: string | null | undefined, name: string): string | null {
  if (time === null || time === undefined) return null;
  return `${readDate(time, name).slice(0, 19)}.000Z`;
}

/** @throws Invalid for an unknown permission, a malformed time, or an end before the begin. */
export function readAce(username: string, grant: AceGrant, creator: string): Ace {
  const { permission, granted, notify, comment } = grant;
  requireStorable(comment);
  if (!isPermission(permission)) throw new Invalid(`Permission ${permission.slice(0, 80)} is invalid.`);
  const [begin, end] = [readTime(grant.begin, 'begin'), readTime(grant.end, 'end')];
  if (begin !== null && end !== null && begin > end)
    throw new Invalid(`begin: ${begin} is after end, ${end}`);
  return {
    username,
    permission,
    granted: granted ?? true,
    creator,
    begin,
    end,
    ...(notify && { notify }),
    ...(comment && { comment }),
  };
}

/**
 * Checks comments of ACEs as the field `comment` of the directory `aceinfo`.
 * @param stored those that the document has already, which are accepted again.
 * @throws Unprocessable
 */
export function requireComments(
  { services: { model }, options: { language } }: Pick<ValueScope, 'options'> & Using<'model'>,
  comments: string[],
  stored: string[] = [],
): void {
  const field = model.directories.get('aceinfo')?.schema.properties.get('comment');
  if (!field) throw new Error('the model has no field for the comments of ACEs');
  const findings = new Findings(language);
  checkValue({ ...field, many: true }, comments, findings, stored);
  if (findings.count > 0) throw new Unprocessable(findings.violations, findings.count);
}

/** Of one document: every search of a user reads the ACEs of each ACL that is in force somewhere. */
export const mostAces = 1_000;

const namesQuery = statement('unknown-names', { name: 'text' })`
  SELECT wanted.name FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, position)
  WHERE NOT EXISTS (SELECT FROM "user" u WHERE u.id = wanted.name)
    AND NOT EXISTS (SELECT FROM "group" g WHERE g.id = wanted.name)
  ORDER BY wanted.position`;

const mail = /^[^\s@/]+@[^\s@/]+$/;

/** The stored name of a guest, who is known by an e-mail address only. @throws Invalid */
export function guest(email: string): string {
  const address = email.trim().toLowerCase();
  if (!mail.test(address)) throw new Invalid(`email: "${email}" is no e-mail address`);
  return `${guestPrefix}${address}/${createHash('sha256').update(address).digest('hex').slice(0, 16)}`;
}

const hasGuestHash = (name: string): boolean => {
  const [, email = ''] = name.split('/');
  return mail.test(email) && guest(email) === name;
};

/** The names that are neither a user, a group, the stored name of a guest nor Everyone, in their order. */
async function unknownNames({ db }: Pick<Scope, 'db'>, names: readonly string[]): Promise<string[]> {
  requireStorable(names);
  const wanted: string[] = [];
  for (const name of new Set(names)) {
    if (name !== everyone && !hasGuestHash(name)) wanted.push(name);
    if (isTurnOver()) await yieldToEventLoop();
  }
  if (wanted.length === 0) return [];
  return (await db.query(namesQuery, [wanted])).map(({ name }) => name);
}

/** @throws Invalid */
function requireNone(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const list = joinFew(unknown, ', ');
  throw new Invalid(
    `The following set of User or Group names do not exist: [${list}]. Please provide valid ones.`,
  );
}

/** @throws Invalid with the names that are neither a user, a group, the stored name of a guest nor Everyone. */
export const requireNames = async (scope: Pick<Scope, 'db'>, names: readonly string[]): Promise<void> =>
  requireNone(await unknownNames(scope, names));

/** @throws Invalid for what is no e-mail address, and without an end: nobody would take the permission back. */
function guestUntil(email: string, { end }: Pick<AceGrant, 'end'>): string {
  if (!end) throw new Invalid("'end' parameter must be set when adding a permission for an 'email'");
  return guest(email);
}

/**
 * ACEs of the caller. A username that is the e-mail address of no user and no group is that of a guest.
 * @throws Invalid for unknown names, for a guest without an end, and as `readAce` does.
 */
export async function readAces(scope: Scope, given: readonly NewAce[]): Promise<Ace[]> {
  const unknown = new Set(
    await unknownNames(
      scope,
      given.map(({ username }) => username),
    ),
  );
  requireNone([...unknown].filter((name) => !mail.test(name.trim())));
  return given.map((ace) => {
    const { username } = ace;
    return readAce(unknown.has(username) ? guestUntil(username, ace) : username, ace, scope.user.id);
  });
}

export interface Grantees {
  readonly users?: readonly string[] | null | undefined;
  readonly email?: string | null | undefined;
}

/** @throws Invalid when no name is given, for unknown names, and for a guest without an end. */
export async function grantees(scope: Scope, { users, email }: Grantees, grant: AceGrant): Promise<string[]> {
  if (users && users.length > 0) {
    if (users.length > mostAces)
      throw new Invalid(`users: has ${users.length} names; ${mostAces} are the most`);
    await requireNames(scope, users);
    return [...users];
  }
  if (!email) throw new Invalid("'users' or 'email' parameters must be set");
  return [guestUntil(email, grant)];
}
