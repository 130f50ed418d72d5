import { makeRecord } from '../../../store/retention/retention.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

export const documentMakeRecord = documentMutation({
  id: 'Document.MakeRecord',
  label: 'Make Record',
  description: 'Makes the input document a record permanently, and returns it.',
  example: { before: [newLetter], input: '{letter}' },
  needs: 'MakeRecord',
  run: makeRecord,
});
