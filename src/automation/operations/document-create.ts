import { createDocument } from '../../store/create-document.ts';
import { properties, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally, required } from '../params.ts';
import { typedProperties } from '../typed-properties.ts';

/** A new document below the input. */
export const documentCreate = operation({
  id: 'Document.Create',
  label: 'Create',
  category: 'Document',
  description: 'Creates a document below the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    type: required(text, 'The type of the new document.'),
    name: optionally(text, 'Untitled', 'Its name; when that is taken, milliseconds are put behind it.'),
    properties: optional(properties, 'Its properties by xpath.'),
  },
  run: async (context, parent, { type, name, properties: given }) =>
    createDocument(context, parent, {
      ...{ type, name, properties: typedProperties(context.model, given) },
      versioning: context.options.versioning,
    }),
});
