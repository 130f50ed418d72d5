import type { SchemaDefinition } from '../definitions.ts';
import { prefixedSchema } from './schema.ts';

export const socialSchemas: readonly SchemaDefinition[] = [
  prefixedSchema('facetedTag', 'nxtag', {
    tags: {
      type: 'complex[]',
      fields: { label: 'string', username: { type: 'string', refersTo: { to: 'user' } } },
    },
  }),
  prefixedSchema('tag', 'tag', { label: 'string' }),
  prefixedSchema('notification', 'notif', {
    notifications: {
      type: 'complex[]',
      // Users and groups, with the prefix "user:" or "group:", so it has no reference target.
      fields: { name: 'string', subscribers: 'string[]' },
    },
  }),
  prefixedSchema('comment', 'comment', {
    author: { type: 'string', refersTo: { to: 'user' } },
    text: 'string',
    creationDate: 'date',
    modificationDate: 'date',
    parentId: { type: 'string', refersTo: { to: 'document' } },
    ancestorIds: { type: 'string[]', refersTo: { to: 'document' } },
  }),
  prefixedSchema('annotation', 'annotation', { xpath: 'string' }),
  prefixedSchema('externalEntity', 'externalEntity', {
    entityId: 'string',
    origin: 'string',
    entity: 'string',
  }),
  prefixedSchema('relation', 'relation', {
    predicate: 'string',
    source: { type: 'string', refersTo: { to: 'document' } },
    sourceUri: 'string',
    target: { type: 'string', refersTo: { to: 'document' } },
    targetUri: 'string',
    targetString: 'string',
  }),
  prefixedSchema('userprofile', 'userprofile', {
    avatar: 'blob',
    birthdate: 'date',
    phonenumber: 'string',
    locale: 'string',
    gender: 'boolean',
  }),
];
