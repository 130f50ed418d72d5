import { putDocument } from '../../store/put-document.ts';
import { flag, properties, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally, required } from '../params.ts';
import { typedProperties } from '../typed-properties.ts';

/** A new folder below the input. */
export const fileManagerCreateFolder = operation({
  id: 'FileManager.CreateFolder',
  label: 'Create Folder',
  category: 'Services',
  description: 'Creates a folder below the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  gives: 'document',
  params: {
    title: required(text, 'Its title, and what it is called.'),
    overwrite: optionally(
      flag,
      false,
      'Whether a folder that is called so already is changed, and answered.',
    ),
    properties: optional(properties, 'Its properties by xpath.'),
  },
  run: async (context, parent, { title, overwrite, properties: given }) =>
    putDocument(
      context,
      parent,
      {
        ...{ name: title, type: 'Folder', versioning: context.options.versioning },
        properties: { 'dc:title': title, ...typedProperties(context.model, given) },
      },
      overwrite,
    ),
});
