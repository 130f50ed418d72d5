import { updateDocument } from '../../store/update-document.ts';
import { anything } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';
import { propertyParams } from '../property-params.ts';
import { typedProperties } from '../typed-properties.ts';

/** Another value for a property of the input. */
export const documentSetProperty = operation({
  id: 'Document.SetProperty',
  label: 'Update Property',
  category: 'Document',
  description: 'Changes a property of the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: { ...propertyParams, value: optional(anything, 'The new value; none clears it.') },
  run: async (context, document, { xpath, value = null }) =>
    updateDocument(context, document, { properties: typedProperties(context.model, { [xpath]: value }) }),
});
