import { checkOut } from '../../../store/versions/check-in.ts';
import { documentMutation } from '../../operation.ts';

export const documentCheckOut = documentMutation({
  id: 'Document.CheckOut',
  label: 'Check Out',
  description: 'Checks the input document out, unless it is, and returns it.',
  run: checkOut,
});
