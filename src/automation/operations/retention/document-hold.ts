import { setLegalHold } from '../../../store/retention/retention.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const documentHold = documentMutation({
  id: 'Document.Hold',
  label: 'Legal Hold',
  description:
    'Places a legal hold on the input document, and returns it. Until the hold is removed, the document cannot be changed or deleted.',
  example: { before: [newLetter], input: '{letter}', params: { description: 'A trial' } },
  needs: 'ManageLegalHold',
  params: { description: text.optional('The reason, for the log.') },
  run: (context, document, { description }) =>
    setLegalHold(context, document, { isHeld: true, comment: description }),
});
