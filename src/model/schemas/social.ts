import type { SchemaDefinition } from '../definitions.ts';

/** What users leave on documents: tags, comments, subscriptions, relations. */
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
        // Subscribers may be groups, told apart by "user:" and "group:" in front, so they refer to no one kind.
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
