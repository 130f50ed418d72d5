import { removeFacet } from '../../store/facets.ts';
import { flag, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally, required } from '../params.ts';

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
    save: optionally(flag, true, 'Every change is saved: only true is served.', { values: ['true'] }),
  },
  run: async (context, document, { facet }) => removeFacet(context, document, facet),
});
