import type { SchemaDefinition } from '../definitions.ts';

export const spaceSchemas: readonly SchemaDefinition[] = [
  {
    name: 'domain',
    prefix: 'domain',
    fields: { display_type: { type: 'boolean', default: false }, content_roots: 'string[]' },
  },
  {
    name: 'publishing',
    prefix: 'publish',
    fields: { sections: { type: 'string[]', refersTo: { to: 'document' } } },
  },
  {
    name: 'webcontainer',
    prefix: 'webc',
    fields: {
      isWebContainer: 'boolean',
      name: 'string',
      url: 'string',
      template: 'string',
      theme: { type: 'string', default: 'sites' },
      themePage: { type: 'string', default: 'workspace' },
      themePerspective: 'string',
      email: 'string',
      welcomeText: 'string',
      baseline: 'string',
      moderationType: { type: 'string', default: 'aposteriori' },
      useCaptcha: 'boolean',
      welcomeMedia: 'blob',
      logo: 'blob',
    },
  },
  {
    name: 'collection',
    prefix: 'collection',
    fields: { documentIds: { type: 'string[]', refersTo: { to: 'document' } } },
  },
  {
    name: 'collectionMember',
    prefix: 'collectionMember',
    fields: { collectionIds: { type: 'string[]', refersTo: { to: 'document' } } },
  },
];
