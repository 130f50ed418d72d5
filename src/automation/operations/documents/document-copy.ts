import { copyDocument } from '../../../store/documents/copy-document.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { documentMutation } from '../../operation.ts';
import { flag, reference, text } from '../../params/kinds.ts';

export const documentCopy = documentMutation({
  id: 'Document.Copy',
  label: 'Copy',
  description: 'Copies the input document and its descendants into a folder, and returns the copy.',
  example: {
    input: '/default-domain/workspaces/report',
    params: { target: '/default-domain/workspaces/archive', name: 'copy' },
  },
  needs: 'Read',
  params: {
    target: reference.required('The folder in which the copy is created.'),
    name: text.optional('The name; if it is already taken, the time in milliseconds is appended.'),
    resetLifeCycle: flag.withDefault(false, 'Whether the copies are reset to the initial life cycle state.'),
  },
  locks: ({ target }) => ({ additional: [referenceTo(target)] }),
  run: async (context, document, { target, ...more }) =>
    copyDocument(context, document, { ...more, target: referenceTo(target) }),
});
