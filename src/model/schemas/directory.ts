import type { FieldDefinition, FieldType, SchemaDefinition } from '../definitions.ts';
import { schema } from './schema.ts';

type Fields = Record<string, FieldDefinition | FieldType>;

const sorting: Fields = {
  obsolete: { type: 'long', default: 0 },
  ordering: { type: 'long', default: 10_000_000 },
};

const labelKey: Fields = { id: 'string', label: 'string' };
const labels: Fields = { id: 'string', label_en: 'string', label_fr: 'string' };

/** Schemas of directory entries, not of documents. */
export const directorySchemas: readonly SchemaDefinition[] = [
  schema('vocabulary', { ...labelKey, ...sorting }),
  schema('xvocabulary', { ...labelKey, parent: 'string', ...sorting }),
  schema('l10nvocabulary', { ...labels, ...sorting }),
  schema('l10nxvocabulary', { ...labels, parent: 'string', ...sorting }),
  schema('user', {
    username: 'string',
    password: 'string',
    firstName: 'string',
    lastName: 'string',
    company: 'string',
    // Clients send an empty string for none.
    email: { type: 'string', constraints: { pattern: '([^\\s@]+@[^\\s@]+)?' } },
    groups: 'string[]',
    tenantId: 'string',
  }),
  schema('group', {
    groupname: 'string',
    grouplabel: 'string',
    description: 'string',
    members: { type: 'string[]', refersTo: { to: 'user' } },
    subGroups: 'string[]',
    parentGroups: 'string[]',
    tenantId: 'string',
  }),
  schema('documentsLists', {
    id: 'string',
    title: 'string',
    listid: 'string',
    userid: { type: 'string', refersTo: { to: 'user' } },
    ref: { type: 'string', refersTo: { to: 'document' } },
    repo: 'string',
    creation_date: 'date',
  }),
  schema('aceinfo', {
    id: 'string',
    repositoryName: 'string',
    docId: { type: 'string', refersTo: { to: 'document' } },
    aclName: 'string',
    aceId: 'string',
    notify: 'boolean',
    comment: 'string',
  }),
  schema('oauth2Client', {
    id: 'long',
    name: 'string',
    clientId: 'string',
    clientSecret: 'string',
    redirectURIs: 'string',
    autoGrant: 'boolean',
    enabled: 'boolean',
  }),
  schema('oauth2Token', {
    id: 'long',
    serviceName: 'string',
    serviceLogin: 'string',
    nuxeoLogin: { type: 'string', refersTo: { to: 'user' } },
    accessToken: 'string',
    refreshToken: 'string',
    expirationTimeMilliseconds: 'long',
    creationDate: 'date',
    clientId: 'string',
    isShared: 'boolean',
    sharedWith: 'string',
  }),
  schema('oauth2ServiceProvider', {
    id: 'long',
    serviceName: 'string',
    description: 'string',
    clientId: 'string',
    clientSecret: 'string',
    authorizationServerURL: 'string',
    tokenServerURL: 'string',
    userAuthorizationURL: 'string',
    scopes: 'string',
    enabled: 'boolean',
  }),
  schema('authtoken', {
    token: 'string',
    userName: { type: 'string', refersTo: { to: 'user' } },
    applicationName: 'string',
    deviceId: 'string',
    deviceDescription: 'string',
    permission: 'string',
    creationDate: 'date',
  }),
];
