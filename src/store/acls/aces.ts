import { createHash } from 'node:crypto';
import { statement } from '../../db/statement.ts';
import { Invalid, joinFew, Unprocessable } from '../../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../../event-loop.ts';
import { defaultLimits } from '../../model/default-limits.ts';
import { requireShortName } from '../../model/names.ts';
import { checkValue, Findings } from '../../model/values/constraints.ts';
import { readDate } from '../../model/values/read-value.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope, Using, ValueScope } from '../../scope.ts';
import { type Ace, everyone, guestPrefix, inheritedAclName, localAclName } from '../../security/acl.ts';
import { isPermission } from '../../security/permissions.ts';

/** A permission to grant or deny, optionally for a limited time. */
export interface AceGrant {
  readonly permission: string;
  readonly granted?: boolean | null | undefined;
  readonly begin?: string | null | undefined;
  readonly end?: string | null | undefined;
  /** Whether to email the grantee, with the comment, when the ACE becomes effective. */
  readonly notify?: boolean | null | undefined;
  readonly comment?: string | null | undefined;
}

/** Names one of a document's ACLs; `local` if absent. */
export interface AclName {
  readonly acl?: string | null | undefined;
}

/** An ACE to add. */
export interface NewAce extends AceGrant {
  readonly username: string;
}

/**
 * Returns the name of one of a document's ACLs.
 * @throws Invalid for `inherited` and for names that no ACL can have
 */
export function aclName({ acl }: AclName): string {
  const name = acl ?? localAclName;
  requireStorable(name);
  if (name.trim() === '' || name === inheritedAclName)
    throw new Invalid(`"${name.slice(0, 80)}" cannot be the name of a document's own ACL.`);
  return name;
}

/**
 * Returns the name of an ACL to write, which need not exist yet.
 * @throws Invalid for a name that no ACL can have, or one of more than 255 characters
 */
export function newAclName(named: AclName): string {
  const name = aclName(named);
  requireShortName('acl', name);
  return name;
}

/** Parses a time and truncates it to whole seconds, because ACEs do not store fractions of a second. */
function readTime(time: string | null | undefined, name: string): string | null {
  if (time === null || time === undefined) return null;
  return `${readDate(time, name).slice(0, 19)}.000Z`;
}

/**
 * Parses an ACE.
 * @throws Invalid for an unknown permission, a malformed time, or an end that precedes the start
 */
export function readAce(username: string, grant: AceGrant, creator: string): Ace {
  const { permission, granted, notify, comment } = grant;
  requireStorable(comment);
  if (!isPermission(permission)) throw new Invalid(`Permission ${permission.slice(0, 80)} is invalid.`);
  const [begin, end] = [readTime(grant.begin, 'begin'), readTime(grant.end, 'end')];
  if (begin !== null && end !== null && begin > end)
    throw new Invalid(`begin must not be after the end; got begin ${begin} and end ${end}`);
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
 * Checks the comments of ACEs against the constraints on the field `comment` of the directory `aceinfo`.
 * @param stored comments that the document already has; they are accepted without a check
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

/**
 * The maximum number of ACEs on one document. It is limited because every search reads the ACEs of each effective ACL
 * that is in use.
 */
export const maxAces = 1_000;

/** Selects the names that belong neither to a user nor to a group. */
const namesQuery = statement('unknown-names', { name: 'text' })`
  SELECT candidate.name FROM unnest($1::text[]) WITH ORDINALITY AS candidate (name, position)
  WHERE NOT EXISTS (SELECT FROM "user" u WHERE u.id = candidate.name)
    AND NOT EXISTS (SELECT FROM "group" g WHERE g.id = candidate.name)
  ORDER BY candidate.position`;

const mail = /^[^\s@/]+@[^\s@/]+$/;

/** The maximum number of characters in a mail address (RFC 5321). */
const maxMailLength = 254;

const isMail = (text: string): boolean => text.length <= maxMailLength && mail.test(text);

/**
 * Returns the name under which a guest is stored. Guests are identified only by their email address.
 * @throws Invalid
 */
export function guest(email: string): string {
  const address = email.trim().toLowerCase();
  if (!isMail(address)) throw new Invalid(`email: "${email}" is not an e-mail address`);
  return `${guestPrefix}${address}/${createHash('sha256').update(address).digest('hex').slice(0, 16)}`;
}

const hasGuestHash = (name: string): boolean => {
  const [, email = ''] = name.split('/');
  return isMail(email) && guest(email) === name;
};

/** Returns the names that are neither a user, a group, the stored name of a guest nor Everyone. */
async function unknownNames({ db }: Pick<Scope, 'db'>, names: readonly string[]): Promise<string[]> {
  requireStorable(names);
  const candidates: string[] = [];
  const tooLong: string[] = [];
  for (const name of new Set(names)) {
    if (name.length > defaultLimits.maxLength)
      tooLong.push(name); // No name is that long, so the database is not asked.
    else if (name !== everyone && !hasGuestHash(name)) candidates.push(name);
    if (isTurnOver()) await yieldToEventLoop();
  }
  if (candidates.length === 0) return tooLong;
  return [...(await db.query(namesQuery, [candidates])).map(({ name }) => name), ...tooLong];
}

/** @throws Invalid with a list of the unknown names, if there are any */
function requireNone(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const list = joinFew(unknown, ', ');
  throw new Invalid(
    `The following set of User or Group names do not exist: [${list}]. Please provide valid ones.`,
  );
}

/**
 * @throws Invalid with a list of the names that are neither a user, a group, the stored name of a guest nor Everyone
 */
export const requireNames = async (scope: Pick<Scope, 'db'>, names: readonly string[]): Promise<void> =>
  requireNone(await unknownNames(scope, names));

/**
 * Returns the name under which a guest is stored. An end date is required, because it is easy to forget that a guest
 * has permissions.
 * @throws Invalid for a malformed email address, or if there is no end date
 */
function guestUntil(email: string, { end }: Pick<AceGrant, 'end'>): string {
  if (!end) throw new Invalid("'end' parameter must be set when adding a permission for an 'email'");
  return guest(email);
}

/**
 * Parses ACEs that the caller adds. An email address that is the name of neither a user nor a group identifies a guest.
 * @throws Invalid for unknown names, for a guest without an end date, and whenever `readAce` throws it
 */
export async function readAces(scope: Scope, newAces: readonly NewAce[]): Promise<Ace[]> {
  const unknown = new Set(
    await unknownNames(
      scope,
      newAces.map(({ username }) => username),
    ),
  );
  requireNone([...unknown].filter((name) => !isMail(name.trim())));
  return newAces.map((ace) => {
    const { username } = ace;
    return readAce(unknown.has(username) ? guestUntil(username, ace) : username, ace, scope.user.id);
  });
}

/** The grantees of a permission: users and groups, or one guest. */
export interface Grantees {
  readonly users?: readonly string[] | null | undefined;
  readonly email?: string | null | undefined;
}

/**
 * Returns the stored names of grantees.
 * @throws Invalid if no grantee is named, for unknown names, and for a guest without an end date
 */
export async function grantees(scope: Scope, { users, email }: Grantees, grant: AceGrant): Promise<string[]> {
  if (users && users.length > 0) {
    if (users.length > maxAces)
      throw new Invalid(`users must have at most ${maxAces} names; got ${users.length}`);
    await requireNames(scope, users);
    return [...users];
  }
  if (!email) throw new Invalid("'users' or 'email' parameters must be set");
  return [guestUntil(email, grant)];
}
