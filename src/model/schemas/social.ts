import type { FieldDefinition, SchemaDefinition } from '../definitions.ts';
import { longString, prefixedSchema } from './schema.ts';

const shortText: FieldDefinition = { type: 'string', constraints: { maxLength: 1_000 } };

export const socialSchemas: readonly SchemaDefinition[] = [
  prefixedSchema('facetedTag', 'nxtag', {
    tags: {
      type: 'complex[]',
      fields: {
        label: { type: 'string', constraints: { maxLength: 255 } }, // The database index determines the maximum length.
        username: { type: 'string', refersTo: { to: 'user' } },
      },
      // The number is limited because anyone with Read permission can add tags, and many tags slow down every response
      // that contains the document.
      constraints: { maxItems: 1_000 },
    },
  }),
  prefixedSchema('tag', 'tag', { label: 'string' }),
  prefixedSchema('notification', 'notif', {
    notifications: {
      type: 'complex[]',
      // The values are "user:NAME" or "group:NAME", so the field cannot be declared as a reference to one kind of
      // entity.
      fields: { name: 'string', subscribers: { type: 'string[]', long: true } },
    },
  }),
  prefixedSchema('comment', 'comment', {
    author: { type: 'string', refersTo: { to: 'user' } },
    text: longString,
    creationDate: 'date',
    modificationDate: 'date',
    parentId: { type: 'string', refersTo: { to: 'document' } },
    ancestorIds: { type: 'string[]', refersTo: { to: 'document' }, long: true },
  }),
  prefixedSchema('annotation', 'annotation', { xpath: shortText }),
  prefixedSchema('externalEntity', 'externalEntity', {
    entityId: shortText,
    origin: shortText,
    entity: longString,
  }),
  prefixedSchema('resolution', 'resolution', {
    by: { type: 'string', refersTo: { to: 'user' } },
    date: 'date',
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
