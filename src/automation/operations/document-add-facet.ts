import { addFacet } from '../../store/facets.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';
import { saveParam } from '../save-param.ts';

/** Other facets for the input. */
export const documentAddFacet = operation({
  id: 'Document.AddFacet',
  label: 'Add Facet',
  category: 'Document',
  description: 'Gives the input document a facet and its schemas, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    facet: required(text, 'The name of the facet.'),
    save: saveParam,
  },
  run: async (context, document, { facet }) => addFacet(context, document, facet),
});
