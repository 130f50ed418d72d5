import type { SchemaDefinition } from '../definitions.ts';
import { longString, prefixedSchema } from './schema.ts';

export const spaceSchemas: readonly SchemaDefinition[] = [
  prefixedSchema('domain', 'domain', {
    display_type: { type: 'boolean', default: false },
    content_roots: 'string[]',
  }),
  prefixedSchema('publishing', 'publish', { sections: { type: 'string[]', refersTo: { to: 'document' } } }),
  prefixedSchema('webcontainer', 'webc', {
    isWebContainer: 'boolean',
    name: 'string',
    url: 'string',
    template: 'string',
    theme: { type: 'string', default: 'sites' },
    themePage: { type: 'string', default: 'workspace' },
    themePerspective: 'string',
    email: 'string',
    welcomeText: longString,
    baseline: 'string',
    moderationType: { type: 'string', default: 'aposteriori' },
    useCaptcha: 'boolean',
    welcomeMedia: 'blob',
    logo: 'blob',
  }),
  prefixedSchema('collection', 'collection', {
    documentIds: { type: 'string[]', refersTo: { to: 'document' }, long: true },
  }),
  prefixedSchema('collectionMember', 'collectionMember', {
    collectionIds: { type: 'string[]', refersTo: { to: 'document' }, long: true },
  }),
];
