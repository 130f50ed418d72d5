import { moveDocument } from '../../store/move-document.ts';
import { referenceTo } from '../document-at.ts';
import { reference, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** Another place for the input. */
export const documentMove = operation({
  id: 'Document.Move',
  label: 'Move',
  category: 'Document',
  description:
    'Moves the input document with all below it into another folder, or renames it, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    target: optional(reference, 'The folder that it is moved into; without one it is renamed where it is.'),
    name: optional(text, 'Its new name; when that is taken, milliseconds are put behind it.'),
  },
  holds: ({ target }) =>
    target === undefined ? { withFolders: true } : { besides: [referenceTo(target)], isMove: true },
  run: async (context, document, { target, name }) =>
    moveDocument(context, document, { target: target === undefined ? null : referenceTo(target), name }),
});
