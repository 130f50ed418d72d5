import { updateDocument } from '../../store/update-document.ts';
import { operation } from '../operation.ts';
import { propertyParams } from '../property-params.ts';

/** No value for a property of the input. */
export const documentRemoveProperty = operation({
  id: 'Document.RemoveProperty',
  label: 'Remove Property',
  category: 'Document',
  description: 'Clears a property of the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: propertyParams,
  run: async (context, document, { xpath }) =>
    updateDocument(context, document, { properties: { [xpath]: null } }),
});
