import { checkOut } from '../../store/check-in.ts';
import { operation } from '../operation.ts';

/** The input is no longer what its last version is (§11). */
export const documentCheckOut = operation({
  id: 'Document.CheckOut',
  label: 'Check Out',
  category: 'Document',
  description: 'Checks the input document out, unless it is, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  run: async (context, document) => checkOut(context, document),
});
