import { updateDocument } from '../../store/update-document.ts';
import { anything } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';
import { propertyParams } from '../property-params.ts';
import { typedProperties } from '../typed-properties.ts';

/** More items in a list of complex values of the input. */
export const documentAddItemToListProperty = operation({
  id: 'Document.AddItemToListProperty',
  label: 'Add Item To List Property',
  category: 'Document',
  description: 'Puts items behind those of a list property of the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    ...propertyParams,
    complexJsonProperties: required(anything, 'The items: JSON, or a text of it.'),
  },
  run: async (context, document, { xpath, complexJsonProperties: given }) => {
    const items = typeof given === 'object' ? [given].flat() : given;
    return updateDocument(context, document, {
      properties: typedProperties(context.model, { [xpath]: items }),
      lists: { [xpath]: 'append' },
    });
  },
});
