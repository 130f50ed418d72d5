import { setLock } from '../../../store/documents/user-lock.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

export const documentLock = documentMutation({
  id: 'Document.Lock',
  label: 'Lock',
  description:
    'Locks the input document for the caller, and returns it. Until it is unlocked, only the caller and administrators can change it.',
  example: { before: [newLetter], input: '{letter}' },
  needs: 'WriteProperties',
  run: setLock,
});
