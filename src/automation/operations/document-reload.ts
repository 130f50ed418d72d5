import { documentAt } from '../document-at.ts';
import { operation } from '../operation.ts';

/** The input as it is now. */
export const documentReload = operation({
  id: 'Document.Reload',
  label: 'Reload',
  category: 'Document',
  description: 'Answers the input document as it is now.',
  kind: 'query',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  run: documentAt,
});
