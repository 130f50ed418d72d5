import { Invalid } from '../errors.ts';
import type { OAuth2Client, Prisma } from '../generated/prisma/client.ts';
import type { StoredProperties, StoredValue } from '../model/stored.ts';
import { type ClientFields, createClients, deleteClients, updateClients } from '../store/oauth2-clients.ts';
import { type NumberedTable, numberedReads } from './numbered.ts';
import type { DirectorySource, Entry } from './source.ts';

const directory = 'oauth2Clients';

const text = (value: StoredValue | undefined): string => (typeof value === 'string' ? value : '');

const addressesOf = (value: StoredValue | undefined): string[] =>
  text(value)
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);

/** A client as an entry; of its secret, only whether there is one. */
function entryOf(row: OAuth2Client): Entry {
  const { id, clientId, name, redirectUris, autoGrant, enabled, secretHash } = row;
  const secret = secretHash === null ? {} : { clientSecret: '' };
  const properties = { clientId, name, redirectURIs: redirectUris.join(','), autoGrant, enabled, ...secret };
  return { directory, id: String(id), properties };
}

/** What an entry says of a client; a secret as answers show it stays what it is, and none takes it away. */
function fieldsOf(given: StoredProperties): Partial<ClientFields> {
  const { clientSecret } = given;
  return {
    clientId: text(given.clientId),
    name: text(given.name),
    redirectURIs: addressesOf(given.redirectURIs),
    autoGrant: given.autoGrant === true,
    enabled: given.enabled !== false,
    ...(clientSecret !== '' && { clientSecret: text(clientSecret) || null }),
  };
}

function condition(field: string, value: StoredValue): Prisma.OAuth2ClientWhereInput | undefined {
  if (field === 'redirectURIs') return { redirectUris: { equals: addressesOf(value) } };
  return ['clientId', 'name', 'autoGrant', 'enabled'].includes(field) ? { [field]: value } : undefined;
}

const rows: NumberedTable<OAuth2Client, Prisma.OAuth2ClientWhereInput> = {
  ...{ directory, table: 'oauth2_client', condition },
  ids: (id) => ({ id }),
  and: (AND) => ({ AND }),
  read: ({ db }, which) => db.prisma.oAuth2Client.findMany({ ...which, orderBy: { id: 'asc' } }),
  count: ({ db }, where) => db.prisma.oAuth2Client.count({ where }),
  entry: (_, row) => entryOf(row),
};

/** What an entry says of a new client. @throws Invalid without a client id */
function newClient(properties: StoredProperties): ClientFields {
  const { clientId = '', name = '', clientSecret = null, ...others } = fieldsOf(properties);
  if (clientId === '') throw new Invalid('clientId: is missing');
  const { redirectURIs = [], autoGrant = false, enabled = true } = others;
  return { clientId, name, clientSecret, redirectURIs, autoGrant, enabled };
}

/** §5: the applications that may ask for access. */
export const oauth2Clients: DirectorySource = {
  ...numberedReads(rows),
  create: async (scope, _, entries) => {
    const clients = entries.map(({ properties }) => newClient(properties));
    return (await createClients(scope, clients)).map(entryOf);
  },
  update: async (scope, _, entries) => {
    const changes = entries.map(({ id, properties }) => ({ id: Number(id), change: fieldsOf(properties) }));
    return (await updateClients(scope, changes)).map(entryOf);
  },
  delete: (scope, _, entries) =>
    deleteClients(
      scope,
      entries.map(({ id }) => Number(id)),
    ),
};
