import { readDate } from '../../../model/values/read-value.ts';
import { setRetention } from '../../../store/retention/retention.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { date } from '../../params/kinds.ts';

export const documentSetRetention = documentMutation({
  id: 'Document.SetRetention',
  label: 'Set Retention',
  description:
    'Retains the input document until the given time, and returns it. Until then the document cannot be changed or deleted. The retention can be extended but not shortened.',
  example: { before: [newLetter], input: '{letter}', params: { until: '2999-12-31T00:00:00.000Z' } },
  needs: 'SetRetention',
  params: { until: date.required('The end of the retention: a W3C date-time.') },
  run: (context, document, { until }) => setRetention(context, document, new Date(readDate(until, 'until'))),
});
