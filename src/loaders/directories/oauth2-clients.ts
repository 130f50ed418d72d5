import type { OAuth2Client, Prisma } from '../../generated/prisma/client.ts';
import { splitAtCommas } from '../../model/values/list-text.ts';
import type { StoredValue } from '../../model/values/stored.ts';
import { numberedSource } from './numbered-table.ts';
import type { StoredEntry } from './source.ts';

const directory = 'oauth2Clients';

export const redirectUrisOf = (value: StoredValue | undefined): string[] =>
  typeof value === 'string' ? splitAtCommas(value) : [];

/**
 * Presents an OAuth client as a directory entry. An empty `clientSecret` indicates that the client has a secret, which
 * is not shown.
 */
export function oauth2ClientEntry(row: OAuth2Client): StoredEntry {
  const { id, clientId, name, redirectUris, autoGrant, enabled, secretHash } = row;
  const secret = secretHash === null ? {} : { clientSecret: '' };
  const properties = { clientId, name, redirectURIs: redirectUris.join(','), autoGrant, enabled, ...secret };
  return { directory, id: String(id), properties };
}

function condition(field: string, value: StoredValue): Prisma.OAuth2ClientWhereInput | undefined {
  if (field === 'redirectURIs') return { redirectUris: { equals: redirectUrisOf(value) } };
  return ['clientId', 'name', 'autoGrant', 'enabled'].includes(field) ? { [field]: value } : undefined;
}

/** The applications that can request access from users (§5). */
export const oauth2ClientSource = numberedSource<OAuth2Client, Prisma.OAuth2ClientWhereInput>({
  directory,
  condition,
  whereIds: (id) => ({ id }),
  allOf: (AND) => ({ AND }),
  read: ({ db }, options) => db.prisma.oAuth2Client.findMany({ ...options, orderBy: { id: 'asc' } }),
  count: ({ db }, where) => db.prisma.oAuth2Client.count({ where }),
  entry: (_, row) => oauth2ClientEntry(row),
});
