import { Invalid } from '../../../errors.ts';
import { operation } from '../../operation.ts';
import { texts } from '../../params/kinds.ts';

const maxCounters = 100;

export const countersGet = operation({
  id: 'Counters.GET',
  label: 'Retrieve counters values',
  category: 'Services',
  description: 'Returns the number of log entries for each event as JSON. Only for administrators.',
  example: { params: { counterNames: ['documentCreated'] } },
  isForAdministrators: true,
  gives: 'json',
  params: { counterNames: texts.required('Event ids, such as documentCreated; at most 100.') },
  run: async ({ load }, _, { counterNames }) => {
    if (counterNames.length > maxCounters)
      throw new Invalid(
        `counterNames must contain at most ${maxCounters} names; got ${counterNames.length}.`,
      );
    const counts = await load.eventCounts(counterNames);
    return Object.fromEntries(counterNames.map((name) => [name, { value: counts.get(name) ?? 0 }]));
  },
});
