import type { Entry, Filter } from 'ldapts';
import { Forbidden } from '../errors.ts';
import type { LdapProvider } from '../security/identity-settings.ts';
import { textsOf } from './attributes.ts';
import type { LdapConnection } from './connections.ts';
import { isAtOrBelowDn } from './names.ts';

/** The rule by which Active Directory follows memberships through all levels: LDAP_MATCHING_RULE_IN_CHAIN. */
const inChain = '1.2.840.113556.1.4.1941';

/** The maximum number of groups of a user. Without a limit, a sign-in could keep a server busy. */
const maxGroups = 1_000;

/** The number of groups whose members one search asks for. */
const groupsPerSearch = 50;

type GroupSettings = NonNullable<LdapProvider['groups']>;

/** A group by its distinguished name, with its names, and with the groups that it names as its own. */
interface Group {
  readonly dn: string;
  readonly names: readonly string[];
  readonly memberOf: readonly string[];
}

/** Groups that were read before, by their distinguished names; used while many users are read. */
export type KnownGroups = Map<string, Group | undefined>;

interface Lookup {
  readonly connection: LdapConnection;
  readonly settings: GroupSettings;
  readonly known: KnownGroups;
}

const groupOf = (entry: Entry, { name }: GroupSettings): Group => ({
  dn: entry.dn,
  names: name.toLowerCase() === 'dn' ? [entry.dn] : textsOf(entry, name),
  memberOf: textsOf(entry, 'memberOf'),
});

const attributesOf = ({ name, by }: GroupSettings): string[] => [
  name.toLowerCase() === 'dn' ? '1.1' : name,
  ...(by === 'memberOf' ? ['memberOf'] : []),
];

async function search({ connection, settings }: Lookup, filter: Filter): Promise<Group[]> {
  const { entries } = await connection.search(settings.base, {
    scope: 'sub',
    filter,
    attributes: attributesOf(settings),
    paged: { pageSize: 500 },
  });
  return entries.map((entry) => groupOf(entry, settings));
}

/** The groups that contain one of the given entries. Values of filter objects are sent as they are, never parsed. */
async function containing(lookup: Lookup, dns: readonly string[]): Promise<Group[]> {
  const { EqualityFilter, OrFilter } = lookup.connection.library;
  const { member: attribute } = lookup.settings;
  const found: Group[] = [];
  for (let at = 0; at < dns.length; at += groupsPerSearch) {
    const filters = dns
      .slice(at, at + groupsPerSearch)
      .map((value) => new EqualityFilter({ attribute, value }));
    found.push(...(await search(lookup, new OrFilter({ filters }))));
  }
  return found;
}

/** The group with a distinguished name; undefined if it is not below the base or cannot be read. */
async function groupAt({ connection, settings, known }: Lookup, dn: string): Promise<Group | undefined> {
  if (known.has(dn)) return known.get(dn);
  const entries = isAtOrBelowDn(dn, settings.base)
    ? await connection
        .search(dn, { scope: 'base', attributes: attributesOf(settings) })
        .then((result) => result.entries)
        .catch((error: unknown) => {
          if (error instanceof connection.library.NoSuchObjectError) return [];
          throw error;
        })
    : [];
  const group = entries[0] && groupOf(entries[0], settings);
  known.set(dn, group);
  return group;
}

async function named(lookup: Lookup, dns: readonly string[]): Promise<Group[]> {
  const found: Group[] = [];
  for (const dn of dns) {
    const group = await groupAt(lookup, dn);
    if (group) found.push(group);
  }
  return found;
}

/**
 * Returns the names of the groups of a user, including those that contain the groups of the user, up to the configured
 * depth. Groups that contain each other are visited once.
 * @throws Forbidden if the user is in too many groups
 */
export async function groupNamesOf(
  connection: LdapConnection,
  settings: GroupSettings,
  { user, known }: { readonly user: Entry; readonly known: KnownGroups },
): Promise<string[]> {
  const lookup: Lookup = { connection, settings, known };
  const { by, depth, member } = settings;
  const visited = new Map<string, Group>();
  const add = (groups: readonly Group[]): Group[] => {
    const added = groups.filter(({ dn }) => !visited.has(dn));
    for (const group of added) visited.set(group.dn, group);
    if (visited.size > maxGroups) throw new Forbidden(`${user.dn} is in more than ${maxGroups} groups.`);
    return added;
  };
  if (by === 'inChain') {
    const { ExtensibleFilter } = connection.library;
    add(await search(lookup, new ExtensibleFilter({ matchType: member, rule: inChain, value: user.dn })));
  } else {
    let next = [{ dn: user.dn, names: [], memberOf: textsOf(user, 'memberOf') } as Group];
    for (let level = 0; level < depth && next.length > 0; level += 1)
      next = add(
        by === 'member'
          ? await containing(
              lookup,
              next.map(({ dn }) => dn),
            )
          : await named(
              lookup,
              next.flatMap(({ memberOf }) => memberOf),
            ),
      );
  }
  return [...new Set([...visited.values()].flatMap(({ names }) => names))].sort();
}
