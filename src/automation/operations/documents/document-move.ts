import { moveDocument } from '../../../store/documents/move-document.ts';
import { newLetter } from '../../call-example.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { documentMutation } from '../../operation.ts';
import { reference, text } from '../../params/kinds.ts';

export const documentMove = documentMutation({
  id: 'Document.Move',
  label: 'Move',
  description:
    'Moves the input document and its descendants into another folder, or renames it, and returns it.',
  example: {
    before: [newLetter],
    input: '{letter}',
    params: { target: '/default-domain/workspaces/archive' },
  },
  params: {
    target: reference.optional('The new folder; if absent, the document is only renamed.'),
    name: text.optional('The new name; if it is already taken, the time in milliseconds is appended.'),
  },
  locks: ({ target }) =>
    target === undefined ? { withFolders: true } : { additional: [referenceTo(target)], isMove: true },
  run: async (context, document, { target, name }) =>
    moveDocument(context, document, { target: target === undefined ? null : referenceTo(target), name }),
});
