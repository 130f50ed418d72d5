import { Invalid } from '../../../errors.ts';
import { createDocument } from '../../../store/documents/create-document.ts';
import { documentMutation } from '../../operation.ts';
import { blob, propertyMap, text } from '../../params/kinds.ts';
import { typedProperties } from '../../params/typed-properties.ts';

/** The key under which clients send the file among the properties, although the content model has no such property. */
const pictureField = 'originalPicture';
const templatesField = 'pictureTemplates';

/** @throws Invalid if the value is not a file */
function fileIn(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  const { data, error } = blob.read.safeParse(value);
  if (error) throw new Invalid(`properties: ${pictureField} ${error.issues[0]?.message}`);
  return data;
}

export const pictureCreate = documentMutation({
  id: 'Picture.Create',
  label: 'Create Picture',
  category: 'Services',
  description: 'Creates a Picture in the input document, and returns it. Its views are generated afterwards.',
  example: {
    input: '/default-domain/workspaces',
    params: {
      name: 'painting',
      properties: {
        originalPicture: {
          name: 'painting.svg',
          content: '<svg xmlns="http://www.w3.org/2000/svg"/>',
          'mime-type': 'image/svg+xml',
        },
      },
    },
  },
  needs: 'AddChildren',
  params: {
    name: text.withDefault(
      'Untitled',
      'The name; if it is already taken, the time in milliseconds is appended.',
    ),
    properties: propertyMap.withDefault(
      {},
      `Properties by xpath, and the file as ${pictureField}: an object with upload-batch and upload-fileId, content, or data.`,
    ),
  },
  run: async (context, parent, { name, properties }) => {
    const { [pictureField]: picture, [templatesField]: _, ...value } = properties;
    return createDocument(context, parent, {
      type: 'Picture',
      name,
      properties: { ...typedProperties(context.services.model, value), 'file:content': fileIn(picture) },
      versioning: context.options.versioning,
    });
  },
});
