import { labelsOf, normalizeLabel } from '../../../model/tags.ts';
import { documentAt, referenceTo } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { fewTexts, reference, shortText } from '../../params/kinds.ts';

const maxLabels = 10;

const toSuggestion = (label: string) => ({ id: label, displayLabel: label });

export const tagSuggestion = operation({
  id: 'Tag.Suggestion',
  label: 'Get Tag Suggestion',
  category: 'Services',
  description: 'Suggests at most 10 labels of documents that the caller can read, as JSON.',
  example: {
    before: [
      {
        call: 'Services.TagDocument',
        input: '/default-domain/workspaces/report',
        params: { tags: ['urgent'] },
      },
    ],
    params: { searchTerm: 'ur' },
  },
  gives: 'json',
  params: {
    searchTerm: shortText.withDefault('', 'The beginning of the labels. Case is ignored.'),
    document: reference.optional('A document whose labels are not suggested.'),
    value: fewTexts.optional('Labels to return unchanged, without a search.'),
  },
  run: async (context, _, { searchTerm, document, value }) => {
    if (value && value.length > 0) return value.map(toSuggestion);
    const excluded = document
      ? labelsOf((await documentAt(context, referenceTo(document))).properties).map(normalizeLabel)
      : [];
    const filter = { prefix: normalizeLabel(searchTerm), excluded, limit: maxLabels };
    return (await context.load.tagLabels(filter)).map(toSuggestion);
  },
});
