import { removeLock } from '../../../store/documents/user-lock.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

export const documentUnlock = documentMutation({
  id: 'Document.Unlock',
  label: 'Unlock',
  description: "Unlocks the input document, and returns it. Removing another user's lock requires Unlock.",
  example: { before: [newLetter, { call: 'Document.Lock', input: '{letter}' }], input: '{letter}' },
  run: removeLock,
});
