import { putDocument } from '../../../store/documents/put-document.ts';
import { operation } from '../../operation.ts';
import { flag, propertyMap, text } from '../../params/kinds.ts';
import { typedProperties } from '../../params/typed-properties.ts';

export const fileManagerCreateFolder = operation({
  id: 'FileManager.CreateFolder',
  label: 'Create Folder',
  category: 'Services',
  description: 'Creates a folder in the input document, and returns it.',
  example: { input: '/default-domain/workspaces', params: { title: 'Letters' } },
  kind: 'mutation',
  takes: ['document'],
  needs: 'AddChildren',
  gives: 'document',
  params: {
    title: text.required('The title and name of the folder.'),
    overwrite: flag.withDefault(false, 'Whether to update an existing folder with that name.'),
    properties: propertyMap.optional('Properties by xpath.'),
  },
  run: async (context, parent, { title, overwrite, properties: given }) =>
    putDocument(
      context,
      parent,
      {
        name: title,
        type: 'Folder',
        versioning: context.options.versioning,
        properties: { 'dc:title': title, ...typedProperties(context.services.model, given) },
      },
      overwrite,
    ),
});
