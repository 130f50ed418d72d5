import type { ModelDefinition } from '../../../src/model/definitions.ts';

/** The document type Every has a property of each property type; Limited has constraints, Preset defaults. */
export const everyType: Partial<ModelDefinition> = {
  schemas: [
    {
      name: 'every',
      prefix: 'ev',
      fields: {
        text: 'string',
        count: 'long',
        size: 'double',
        isDone: 'boolean',
        day: 'date',
        raw: 'binary',
        file: 'blob',
        part: {
          type: 'complex',
          fields: {
            text: 'string',
            count: 'long',
            days: 'date[]',
            file: 'blob',
            inner: { type: 'complex', fields: { isDone: 'boolean' } },
          },
        },
        texts: 'string[]',
        counts: 'long[]',
        sizes: 'double[]',
        flags: 'boolean[]',
        days: 'date[]',
        files: 'blob[]',
        parts: { type: 'complex[]', fields: { text: 'string', file: 'blob' } },
        reader: { type: 'string', refersTo: { to: 'user' } },
        related: { type: 'string[]', refersTo: { to: 'document' } },
      },
    },
    {
      name: 'limits',
      prefix: 'li',
      fields: {
        code: { type: 'string', constraints: { pattern: '[A-Z]{2}\\d+', minLength: 3, maxLength: 5 } },
        color: { type: 'string', constraints: { enum: ['red', 'green'] } },
        grade: { type: 'long', constraints: { min: 1, max: 6 } },
        owner: { type: 'string', constraints: { required: true } },
        lines: {
          type: 'complex[]',
          fields: {
            color: { type: 'string', constraints: { enum: ['red', 'green'] } },
            topics: { type: 'string[]', refersTo: { to: 'directory', directory: 'topic' } },
          },
        },
      },
    },
    {
      name: 'preset',
      prefix: 'pre',
      fields: {
        text: { type: 'string', default: 'as ever' },
        count: { type: 'long', default: 0 },
        day: { type: 'date', default: '2024-03-01' },
      },
    },
  ],
  types: [
    { name: 'Every', parent: 'Document', schemas: ['dublincore', 'every'] },
    { name: 'Limited', parent: 'Document', schemas: ['dublincore', 'limits'] },
    { name: 'Preset', parent: 'Document', schemas: ['preset'] },
    { name: 'Unwatched', parent: 'Document', schemas: ['dublincore'], facets: ['SystemDocument'] },
  ],
};
