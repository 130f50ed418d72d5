import { addFacet } from '../../../store/documents/facets.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';
import { saveParam } from '../../params/shared-params.ts';

export const documentAddFacet = documentMutation({
  id: 'Document.AddFacet',
  label: 'Add Facet',
  needs: 'WriteProperties',
  description: 'Adds a facet and its schemas to the input document, and returns the document.',
  example: { before: [newLetter], input: '{letter}', params: { facet: 'Thumbnail' } },
  params: {
    facet: text.required('The name of the facet.'),
    save: saveParam,
  },
  run: async (context, document, { facet }) => addFacet(context, document, facet),
});
