import { cleanLabel, labelsOf } from '../../model/tags.ts';
import { documentAt, referenceTo } from '../document-at.ts';
import { reference, text, texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally } from '../params.ts';

const mostLabels = 10;

const shown = (label: string) => ({ id: label, displayLabel: label });

/** Labels for somebody who types. */
export const tagSuggestion = operation({
  id: 'Tag.Suggestion',
  label: 'Get Tag Suggestion',
  category: 'Services',
  description:
    'Answers at most 10 labels of documents that the caller may read, as JSON for lists of choice.',
  kind: 'query',
  takes: ['void'],
  gives: 'json',
  params: {
    searchTerm: optionally(text, '', 'What the labels begin with, in any case.'),
    document: optional(reference, 'A document: labels that it has already are left out.'),
    value: optional(texts, 'Labels that are chosen already: these are answered, and nothing is searched.'),
  },
  run: async (context, _, { searchTerm, document, value }) => {
    if (value && value.length > 0) return value.map(shown);
    const without = document ? labelsOf((await documentAt(context, referenceTo(document))).properties) : [];
    const wish = { prefix: cleanLabel(searchTerm), without, most: mostLabels };
    return (await context.load.tagLabels(wish)).map(shown);
  },
});
