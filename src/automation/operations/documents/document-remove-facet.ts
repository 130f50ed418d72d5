import { removeFacet } from '../../../store/documents/facets.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';
import { saveParam } from '../../params/shared-params.ts';

export const documentRemoveFacet = documentMutation({
  id: 'Document.RemoveFacet',
  label: 'Remove Facet',
  needs: 'WriteProperties',
  description:
    'Removes a facet from the input document, and returns the document. Facets that its type defines cannot be removed.',
  example: {
    before: [newLetter, { call: 'Document.AddFacet', input: '{letter}', params: { facet: 'Thumbnail' } }],
    input: '{letter}',
    params: { facet: 'Thumbnail' },
  },
  params: {
    facet: text.required('The name of the facet.'),
    save: saveParam,
  },
  run: async (context, document, { facet }) => removeFacet(context, document, facet),
});
