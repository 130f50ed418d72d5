import { removeLock } from '../../../store/documents/user-lock.ts';
import { documentMutation } from '../../operation.ts';

export const documentUnlock = documentMutation({
  id: 'Document.Unlock',
  label: 'Unlock',
  description: 'Unlocks the input document, and returns it; removing the lock of another user needs Unlock.',
  run: removeLock,
});
