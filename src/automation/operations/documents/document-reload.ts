import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';

export const documentReload = operation({
  id: 'Document.Reload',
  label: 'Reload',
  description: 'Returns the current state of the input document.',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  run: documentAt,
});
