import type { SchemaDefinition } from '../definitions.ts';
import { longString, prefixedSchema, schemaOf } from './schema.ts';

export const coreSchemas: readonly SchemaDefinition[] = [
  prefixedSchema('dublincore', 'dc', {
    title: { type: 'string', constraints: { maxLength: 10_000 } },
    description: longString,
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
    contributors: { type: 'string[]', refersTo: { to: 'user' }, long: true },
    lastContributor: { type: 'string', refersTo: { to: 'user' } },
    nature: { type: 'string', refersTo: { to: 'directory', directory: 'nature' } },
    publisher: 'string',
  }),
  schemaOf('common', { icon: 'string', 'icon-expanded': 'string' }),
  prefixedSchema('uid', 'uid', { uid: 'string', major_version: 'long', minor_version: 'long' }),
  schemaOf('file', { content: 'blob' }),
  prefixedSchema('files', 'files', { files: { type: 'complex[]', fields: { file: 'blob' } } }),
  prefixedSchema('note', 'note', { note: longString, mime_type: 'string' }),
  prefixedSchema('relatedtext', 'relatedtext', {
    relatedtextresources: {
      type: 'complex[]',
      fields: { relatedtextid: 'string', relatedtext: longString },
    },
  }),
  prefixedSchema('thumbnail', 'thumb', { thumbnail: 'blob' }),
  prefixedSchema('rendition', 'rend', {
    sourceId: { type: 'string', refersTo: { to: 'document' } },
    sourceVersionableId: { type: 'string', refersTo: { to: 'document' } },
    renditionName: 'string',
    renditionVariant: 'string',
    modificationDate: 'date',
  }),
];
