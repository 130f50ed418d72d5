import { setLegalHold } from '../../../store/retention/retention.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const documentUnhold = documentMutation({
  id: 'Document.Unhold',
  label: 'Remove Legal Hold',
  description: 'Removes the legal hold from the input document, and returns it.',
  example: {
    before: [newLetter, { call: 'Document.Hold', input: '{letter}' }],
    input: '{letter}',
    params: { description: 'The trial has ended' },
  },
  needs: 'ManageLegalHold',
  params: { description: text.optional('The reason, for the log.') },
  run: (context, document, { description }) =>
    setLegalHold(context, document, { isHeld: false, comment: description }),
});
