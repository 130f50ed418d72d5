import { copyDocument } from '../../store/copy-document.ts';
import { referenceTo } from '../document-at.ts';
import { flag, reference, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally, required } from '../params.ts';

/** The input once more. */
export const documentCopy = operation({
  id: 'Document.Copy',
  label: 'Copy',
  category: 'Document',
  description: 'Copies the input document with all below it into a folder, and answers the copy.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    target: required(reference, 'The folder of the copy.'),
    name: optional(text, 'Its name; when that is taken, milliseconds are put behind it.'),
    resetLifeCycle: optionally(flag, false, 'Whether the copies begin their life cycle anew.'),
  },
  holds: ({ target }) => ({ besides: [referenceTo(target)] }),
  run: async (context, document, { target, ...more }) =>
    copyDocument(context, document, { ...more, target: referenceTo(target) }),
});
