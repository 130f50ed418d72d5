import { makeRecord } from '../../../store/retention/retention.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

export const documentMakeRecord = documentMutation({
  id: 'Document.MakeRecord',
  label: 'Make Record',
  description: 'Turns the input document into a record, which cannot be undone, and returns it.',
  example: { before: [newLetter], input: '{letter}' },
  needs: 'MakeRecord',
  run: makeRecord,
});
