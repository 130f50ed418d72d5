import { Invalid } from '../../errors.ts';
import {
  oauth2ClientEntry,
  oauth2ClientSource,
  redirectUrisOf,
} from '../../loaders/directories/oauth2-clients.ts';
import type { StoredProperties, StoredValue } from '../../model/values/stored.ts';
import {
  createOAuth2Clients,
  deleteOAuth2Clients,
  type OAuth2ClientFields,
  updateOAuth2Clients,
} from '../tokens/oauth2-clients.ts';
import { lockNumbered } from './numbered-table.ts';
import type { EntryWriter } from './writer.ts';

const text = (value: StoredValue | undefined): string => (typeof value === 'string' ? value : '');

/**
 * The fields of a client. An empty secret, which is what responses contain, leaves the stored secret unchanged; an
 * absent secret removes it.
 */
function fieldsOf(properties: StoredProperties): Partial<OAuth2ClientFields> {
  const { clientSecret } = properties;
  return {
    clientId: text(properties.clientId),
    name: text(properties.name),
    redirectURIs: redirectUrisOf(properties.redirectURIs),
    autoGrant: properties.autoGrant === true,
    enabled: properties.enabled !== false,
    ...(clientSecret !== '' && { clientSecret: text(clientSecret) || null }),
  };
}

function newClient(properties: StoredProperties): OAuth2ClientFields {
  const { clientId = '', name = '', clientSecret = null, ...others } = fieldsOf(properties);
  if (clientId === '') throw new Invalid('clientId is missing');
  const { redirectURIs = [], autoGrant = false, enabled = true } = others;
  return { clientId, name, clientSecret, redirectURIs, autoGrant, enabled };
}

/** Presents OAuth 2.0 clients as directory entries. */
export const oauth2ClientWriter: EntryWriter = {
  lock: lockNumbered(oauth2ClientSource, 'oauth2_client'),
  create: async (scope, _, entries) => {
    const clients = entries.map(({ properties }) => newClient(properties));
    return (await createOAuth2Clients(scope, clients)).map(oauth2ClientEntry);
  },
  update: async (scope, _, entries) => {
    const changes = entries.map(({ id, properties }) => ({ id: Number(id), change: fieldsOf(properties) }));
    return (await updateOAuth2Clients(scope, changes)).map(oauth2ClientEntry);
  },
  delete: (scope, _, entries) =>
    deleteOAuth2Clients(
      scope,
      entries.map(({ id }) => Number(id)),
    ),
};
