import type { FieldDefinition, FieldType, SchemaDefinition } from '../definitions.ts';
import { longString, schemaOf } from './schema.ts';

type Fields = Record<string, FieldDefinition | FieldType>;

const sorting: Fields = {
  obsolete: { type: 'long', default: 0 },
  ordering: { type: 'long', default: 10_000_000 },
};

const labelKey: Fields = { id: 'string', label: 'string' };
/** The name of a user or group. The database index that contains the name determines the maximum length. */
const indexed: FieldDefinition = { type: 'string', constraints: { maxLength: 255 } };
const labels: Fields = { id: 'string', label_en: 'string', label_fr: 'string' };

/** The schemas that only directory entries have, not documents. */
export const directorySchemas: readonly SchemaDefinition[] = [
  schemaOf('vocabulary', { ...labelKey, ...sorting }),
  schemaOf('xvocabulary', { ...labelKey, parent: 'string', ...sorting }),
  schemaOf('l10nvocabulary', { ...labels, ...sorting }),
  schemaOf('l10nxvocabulary', { ...labels, parent: 'string', ...sorting }),
  schemaOf('user', {
    username: 'string',
    password: 'string',
    firstName: indexed,
    lastName: indexed,
    company: 'string',
    // The pattern accepts an empty string, which clients send for a user without an e-mail address.
    email: { type: 'string', constraints: { pattern: '([^\\s@]+@[^\\s@]+)?' } },
    groups: { type: 'string[]', long: true },
    tenantId: 'string',
  }),
  schemaOf('group', {
    groupname: 'string',
    grouplabel: indexed,
    description: longString,
    members: { type: 'string[]', refersTo: { to: 'user' }, long: true },
    subGroups: { type: 'string[]', long: true },
    parentGroups: { type: 'string[]', long: true },
    tenantId: 'string',
  }),
  schemaOf('documentsLists', {
    id: 'string',
    title: 'string',
    listid: 'string',
    userid: { type: 'string', refersTo: { to: 'user' } },
    ref: { type: 'string', refersTo: { to: 'document' } },
    repo: 'string',
    creation_date: 'date',
  }),
  schemaOf('aceinfo', {
    id: 'string',
    repositoryName: 'string',
    docId: { type: 'string', refersTo: { to: 'document' } },
    aclName: 'string',
    aceId: 'string',
    notify: 'boolean',
    comment: 'string',
  }),
  schemaOf('oauth2Client', {
    id: 'long',
    name: 'string',
    clientId: 'string',
    clientSecret: 'string',
    redirectURIs: 'string',
    autoGrant: 'boolean',
    enabled: 'boolean',
  }),
  schemaOf('oauth2Token', {
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
  schemaOf('oauth2ServiceProvider', {
    id: 'long',
    serviceName: 'string',
    description: longString,
    clientId: 'string',
    clientSecret: 'string',
    authorizationServerURL: 'string',
    tokenServerURL: 'string',
    userAuthorizationURL: 'string',
    scopes: 'string',
    enabled: 'boolean',
  }),
  schemaOf('authtoken', {
    token: 'string',
    userName: { type: 'string', refersTo: { to: 'user' } },
    applicationName: 'string',
    deviceId: 'string',
    deviceDescription: 'string',
    permission: 'string',
    creationDate: 'date',
  }),
];
