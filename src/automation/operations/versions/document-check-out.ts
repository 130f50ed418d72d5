import { checkOut } from '../../../store/versions/check-in.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

export const documentCheckOut = documentMutation({
  id: 'Document.CheckOut',
  label: 'Check Out',
  needs: 'WriteProperties',
  description: 'Checks out the input document unless it is already checked out, and returns it.',
  example: {
    before: [newLetter, { call: 'Document.CheckIn', input: '{letter}', params: { version: 'minor' } }],
    input: '{letter}',
  },
  run: checkOut,
});
