import type { SchemaDefinition } from '../definitions.ts';

export const coreSchemas: readonly SchemaDefinition[] = [
  {
    name: 'dublincore',
    prefix: 'dc',
    fields: {
      title: 'string',
      description: { type: 'string', constraints: { maxLength: 2000 } },
      subjects: {
        type: 'string[]',
        refersTo: { to: 'directory', directory: 'l10nsubjects', separator: '/' },
      },
      rights: 'string',
      source: 'string',
      coverage: {
        type: 'string',
        refersTo: { to: 'directory', directory: 'l10ncoverage', separator: '/', isListed: true },
      },
      created: 'date',
      modified: 'date',
      issued: 'date',
      valid: 'date',
      expired: 'date',
      format: 'string',
      language: 'string',
      creator: { type: 'string', refersTo: { to: 'user' } },
      contributors: { type: 'string[]', refersTo: { to: 'user' } },
      lastContributor: { type: 'string', refersTo: { to: 'user' } },
      nature: { type: 'string', refersTo: { to: 'directory', directory: 'nature' } },
      publisher: 'string',
    },
  },
  { name: 'common', fields: { icon: 'string', 'icon-expanded': 'string' } },
  { name: 'uid', prefix: 'uid', fields: { uid: 'string', major_version: 'long', minor_version: 'long' } },
  { name: 'file', fields: { content: 'blob' } },
  {
    name: 'files',
    prefix: 'files',
    fields: { files: { type: 'complex[]', fields: { file: 'blob' } } },
  },
  { name: 'note', prefix: 'note', fields: { note: 'string', mime_type: 'string' } },
  {
    name: 'relatedtext',
    prefix: 'relatedtext',
    fields: {
      relatedtextresources: {
        type: 'complex[]',
        fields: { relatedtextid: 'string', relatedtext: 'string' },
      },
    },
  },
  { name: 'thumbnail', prefix: 'thumb', fields: { thumbnail: 'blob' } },
  {
    name: 'rendition',
    prefix: 'rend',
    fields: {
      sourceId: { type: 'string', refersTo: { to: 'document' } },
      sourceVersionableId: { type: 'string', refersTo: { to: 'document' } },
      renditionName: 'string',
      renditionVariant: 'string',
      modificationDate: 'date',
    },
  },
];
