import type { Database } from '../../db/database.ts';
import { AppError, Conflict, NotFound } from '../../errors.ts';
import type { DirectoryUser, UserDirectory } from '../../ldap/directory.ts';
import type { IdentityRow } from '../../loaders/authorities/identities.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { AuthorityScope } from '../../scope.ts';
import { managedGroups, mapClaims } from '../../security/identity-rules.ts';
import type { LdapProvider } from '../../security/identity-settings.ts';
import type { Services } from '../../services.ts';
import { recordEvents } from '../audit/audit.ts';
import { lockIdentity } from '../row-locks/advisory-locks.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { endLocked } from '../tokens/credentials.ts';
import { credentialEvent } from './events.ts';
import { addIdentity } from './identities.ts';
import { applyRules, existingGroups, ruledChange } from './identity-rules.ts';
import { authoritySchema } from './schemas.ts';
import { serverScope } from './server-scope.ts';

/** The share of the users of a directory that one synchronization can disable. */
const maxDisabledShare = 0.1;

/** The number of users whose present state one pair of statements reads. */
const usersPerRead = 500;

export interface SyncOptions {
  /** Whether any number of users can be disabled. */
  readonly isAnyNumber?: boolean | undefined;
  /** Whether nothing is changed, and only the report is returned. */
  readonly isTrial?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The changes that a synchronization has made or, in a dry run, would make. Users are listed by their ids. */
export interface SyncReport {
  /** The number of users in the directory. */
  readonly found: number;
  readonly created: string[];
  /** The users whose properties or groups have changed. */
  readonly changed: string[];
  readonly disabled: string[];
  /** The users who were disabled and are in the directory again. */
  readonly enabled: string[];
  /** Why users could not be created or changed, by their subject. */
  readonly refused: Record<string, string>;
}

type SyncServices = Pick<Services, 'blobs' | 'config' | 'model' | 'secrets'> & {
  readonly database: Pick<Database, 'prisma' | 'transaction'>;
};

/** A user of the directory who has an identity here. */
interface KnownUser {
  readonly user: DirectoryUser;
  readonly identity: IdentityRow;
}

/**
 * Chooses the identities that are no longer in the directory.
 * @throws Conflict if there are too many of them, which is more likely to be a fault of the directory or its settings
 */
function requireFewGone(
  identities: readonly IdentityRow[],
  { users, label, isAnyNumber }: { users: ReadonlySet<string>; label: string; isAnyNumber: boolean },
): IdentityRow[] {
  const present = identities.filter(({ endedAt }) => endedAt === null);
  const gone = present.filter(({ subject }) => !users.has(subject));
  if (!isAnyNumber && gone.length > present.length * maxDisabledShare)
    throw new Conflict(
      `${label}: ${gone.length} of ${present.length} users are gone, which is more than ${maxDisabledShare * 100} %. Nothing has been changed. If this is right, run "quire user sync --any-number".`,
    );
  return gone;
}

/** Ends an identity, and with it everything that it has given access to. */
async function endIdentity(
  scope: AuthorityScope,
  { id, provider, subject, userId }: IdentityRow,
): Promise<boolean> {
  await lockIdentity(scope.db, provider, subject);
  await lockAuthority(scope.db, 'user', userId, 'NO KEY UPDATE');
  const { count } = await scope.db.prisma.identity.updateMany({
    where: { id, endedAt: null },
    data: { endedAt: new Date() },
  });
  if (count === 0) return false;
  await endLocked(scope, userId);
  await recordEvents(scope, [credentialEvent(userId, { ended: 'identity', provider })]);
  return true;
}

async function enableIdentity(scope: AuthorityScope, { id, provider, userId }: IdentityRow): Promise<void> {
  await scope.db.prisma.identity.update({ where: { id }, data: { endedAt: null }, select: { id: true } });
  await recordEvents(scope, [credentialEvent(userId, { enabled: 'identity', provider })]);
  await scope.db.announce('principals');
}

/** The state of one synchronization. */
interface Run {
  readonly services: SyncServices;
  readonly provider: LdapProvider;
  readonly report: SyncReport;
  /** Makes one change in a transaction of its own; in a trial, it makes none, and the result is undefined. */
  readonly change: <T>(work: (scope: AuthorityScope) => Promise<T>) => Promise<T | undefined>;
}

/** Notes why a user could not be stored, which does not prevent the others. @throws any error that is a bug */
function refuse({ report }: Run, { subject }: DirectoryUser, error: unknown): void {
  if (!(error instanceof AppError)) throw error;
  report.refused[subject] = error.message;
}

async function disable({ change, report }: Run, gone: readonly IdentityRow[]): Promise<void> {
  for (const identity of gone) {
    try {
      const isEnded = await change((scope) => endIdentity(scope, identity));
      if (isEnded !== false) report.disabled.push(identity.userId);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error; // The user was deleted in the meantime.
    }
  }
}

async function enable({ change, report }: Run, known: readonly KnownUser[]): Promise<void> {
  for (const { identity } of known.filter((each) => each.identity.endedAt)) {
    await change((scope) => enableIdentity(scope, identity));
    report.enabled.push(identity.userId);
  }
}

async function create(run: Run, users: readonly DirectoryUser[]): Promise<void> {
  const { provider, report, change } = run;
  const rules = { ...provider.users, create: true };
  for (const user of users) {
    try {
      const created = await change((scope) =>
        addIdentity(scope, { ...user, provider: { ...provider, users: rules } }),
      );
      report.created.push(created ?? mapClaims(rules, user.claims).id ?? user.subject);
    } catch (error) {
      refuse(run, user, error);
    }
  }
}

/** Finds the users whose properties or groups differ from what the rules make of the directory. */
async function changedUsers(run: Run, known: readonly KnownUser[]): Promise<KnownUser[]> {
  const { users: rules } = run.provider;
  const { database, model } = run.services;
  const schema = authoritySchema(model, 'user');
  const existing = new Set(await existingGroups(database, managedGroups(rules)));
  const changed: KnownUser[] = [];
  for (let at = 0; at < known.length; at += usersPerRead) {
    const slice = known.slice(at, at + usersPerRead);
    const rows = await database.prisma.user.findMany({
      where: { id: { in: slice.map(({ identity }) => identity.userId) } },
      select: { id: true, properties: true, groups: { select: { groupId: true } } },
    });
    const present = new Map(
      rows.map(({ id, properties, groups }) => [
        id,
        { properties: properties as StoredProperties, groups: groups.map(({ groupId }) => groupId) },
      ]),
    );
    for (const each of slice) {
      const before = present.get(each.identity.userId);
      const mapped = mapClaims(rules, each.user.claims);
      try {
        if (before && ruledChange(schema, { rules, mapped, existing }, before)) changed.push(each);
      } catch (error) {
        refuse(run, each.user, error);
      }
    }
  }
  return changed;
}

async function applyToChanged(run: Run, known: readonly KnownUser[]): Promise<void> {
  const { users: rules } = run.provider;
  for (const { user, identity } of await changedUsers(run, known)) {
    const mapped = mapClaims(rules, user.claims);
    try {
      await run.change((scope) => applyRules(scope, identity.userId, { rules, mapped }));
      run.report.changed.push(identity.userId);
    } catch (error) {
      refuse(run, user, error);
    }
  }
}

/**
 * Compares the users of a directory with their identities here: disables those who are gone, enables those who have
 * returned, applies the rules to the others, and creates users where the settings allow it.
 * @throws ProviderAway; Conflict, without any change, if the directory returns no users or only a part of them, or if
 * too many of them are gone
 */
export async function syncDirectory(
  services: SyncServices,
  { provider, users: readUsers }: UserDirectory,
  { isAnyNumber = false, isTrial = false, signal }: SyncOptions = {},
): Promise<SyncReport> {
  const { config, database } = services;
  // The identities are read first, because users can sign in for the first time while the directory is read.
  const identities = await database.prisma.identity.findMany({ where: { provider: provider.name } });
  const users = await readUsers();
  if (users.length === 0)
    throw new Conflict(`${provider.label}: the directory returned no users. Nothing has been changed.`);
  const subjects = new Set(users.map(({ subject }) => subject));
  const gone = requireFewGone(identities, { users: subjects, label: provider.label, isAnyNumber });

  const run: Run = {
    services,
    provider,
    report: { found: users.length, created: [], changed: [], disabled: [], enabled: [], refused: {} },
    change: async (work) => {
      signal?.throwIfAborted();
      if (isTrial) return undefined;
      return database.transaction(config.TRANSACTION_TIMEOUT, (client) =>
        work(serverScope(services, client)),
      );
    },
  };
  const bySubject = new Map(identities.map((identity) => [identity.subject, identity]));
  const known = users.flatMap((user) => {
    const identity = bySubject.get(user.subject);
    return identity ? [{ user, identity }] : [];
  });
  await disable(run, gone);
  await enable(run, known);
  await applyToChanged(run, known);
  if (provider.sync?.create)
    await create(
      run,
      users.filter(({ subject }) => !bySubject.has(subject)),
    );
  return run.report;
}
