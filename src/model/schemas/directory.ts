import type { FieldDefinition, FieldType, SchemaDefinition } from '../definitions.ts';

type Fields = Record<string, FieldDefinition | FieldType>;

const sorting: Fields = {
  obsolete: { type: 'long', default: 0 },
  ordering: { type: 'long', default: 10_000_000 },
};

const labelKey: Fields = { id: 'string', label: 'string' };
const labels: Fields = { id: 'string', label_en: 'string', label_fr: 'string' };

/** Schemas of directory entries, not of documents. */
export const directorySchemas: readonly SchemaDefinition[] = [
  { name: 'vocabulary', fields: { ...labelKey, ...sorting } },
  { name: 'xvocabulary', fields: { ...labelKey, parent: 'string', ...sorting } },
  { name: 'l10nvocabulary', fields: { ...labels, ...sorting } },
  { name: 'l10nxvocabulary', fields: { ...labels, parent: 'string', ...sorting } },
  {
    name: 'user',
    fields: {
      username: 'string',
      password: 'string',
      firstName: 'string',
      lastName: 'string',
      company: 'string',
      // Clients send an empty string for none.
      email: { type: 'string', constraints: { pattern: '([^\\s@]+@[^\\s@]+)?' } },
      groups: 'string[]',
      tenantId: 'string',
    },
  },
  {
    name: 'group',
    fields: {
      groupname: 'string',
      grouplabel: 'string',
      description: 'string',
      members: { type: 'string[]', refersTo: { to: 'user' } },
      subGroups: 'string[]',
      parentGroups: 'string[]',
      tenantId: 'string',
    },
  },
  {
    name: 'documentsLists',
    fields: {
      id: 'string',
      title: 'string',
      listid: 'string',
      userid: { type: 'string', refersTo: { to: 'user' } },
      ref: { type: 'string', refersTo: { to: 'document' } },
      repo: 'string',
      creation_date: 'date',
    },
  },
  {
    name: 'aceinfo',
    fields: {
      id: 'string',
      repositoryName: 'string',
      docId: { type: 'string', refersTo: { to: 'document' } },
      aclName: 'string',
      aceId: 'string',
      notify: 'boolean',
      comment: 'string',
    },
  },
  {
    name: 'oauth2Client',
    fields: {
      id: 'long',
      name: 'string',
      clientId: 'string',
      clientSecret: 'string',
      redirectURIs: 'string',
      autoGrant: 'boolean',
      enabled: 'boolean',
    },
  },
  {
    name: 'oauth2Token',
    fields: {
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
    },
  },
  {
    name: 'oauth2ServiceProvider',
    fields: {
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
    },
  },
  {
    name: 'authtoken',
    fields: {
      token: 'string',
      userName: { type: 'string', refersTo: { to: 'user' } },
      applicationName: 'string',
      deviceId: 'string',
      deviceDescription: 'string',
      permission: 'string',
      creationDate: 'date',
    },
  },
];
