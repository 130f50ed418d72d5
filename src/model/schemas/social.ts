import type { SchemaDefinition } from '../definitions.ts';

export const socialSchemas: readonly SchemaDefinition[] = [
  {
    name: 'facetedTag',
    prefix: 'nxtag',
    fields: {
      tags: {
        type: 'complex[]',
        fields: { label: 'string', username: { type: 'string', refersTo: { to: 'user' } } },
      },
    },
  },
  { name: 'tag', prefix: 'tag', fields: { label: 'string' } },
  {
    name: 'notification',
    prefix: 'notif',
    fields: {
      notifications: {
        type: 'complex[]',
        // Users and groups, with the prefix "user:" or "group:", so it has no reference target.
        fields: { name: 'string', subscribers: 'string[]' },
      },
    },
  },
  {
    name: 'comment',
    prefix: 'comment',
    fields: {
      author: { type: 'string', refersTo: { to: 'user' } },
      text: 'string',
      creationDate: 'date',
      modificationDate: 'date',
      parentId: { type: 'string', refersTo: { to: 'document' } },
      ancestorIds: { type: 'string[]', refersTo: { to: 'document' } },
    },
  },
  { name: 'annotation', prefix: 'annotation', fields: { xpath: 'string' } },
  {
    name: 'externalEntity',
    prefix: 'externalEntity',
    fields: { entityId: 'string', origin: 'string', entity: 'string' },
  },
  {
    name: 'relation',
    prefix: 'relation',
    fields: {
      predicate: 'string',
      source: { type: 'string', refersTo: { to: 'document' } },
      sourceUri: 'string',
      target: { type: 'string', refersTo: { to: 'document' } },
      targetUri: 'string',
      targetString: 'string',
    },
  },
  {
    name: 'userprofile',
    prefix: 'userprofile',
    fields: {
      avatar: 'blob',
      birthdate: 'date',
      phonenumber: 'string',
      locale: 'string',
      gender: 'boolean',
    },
  },
];
