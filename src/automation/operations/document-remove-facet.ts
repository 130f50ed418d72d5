import { removeFacet } from '../../store/facets.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';
import { saveParam } from '../save-param.ts';

/** Other facets for the input. */
export const documentRemoveFacet = operation({
  id: 'Document.RemoveFacet',
  label: 'Remove Facet',
  category: 'Document',
  description: 'Takes a facet of its own from the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    facet: required(text, 'The name of the facet.'),
    save: saveParam,
  },
  run: async (context, document, { facet }) => removeFacet(context, document, facet),
});
