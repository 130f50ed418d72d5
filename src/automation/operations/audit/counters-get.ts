import { Invalid } from '../../../errors.ts';
import { operation } from '../../operation.ts';
import { texts } from '../../params/kinds.ts';

const most = 100;

export const countersGet = operation({
  id: 'Counters.GET',
  label: 'Retrieve counters values',
  category: 'Services',
  description: 'Returns how often events are in the log, as JSON by their ids; for administrators.',
  example: { params: { counterNames: ['documentCreated'] } },
  isForAdministrators: true,
  gives: 'json',
  params: { counterNames: texts.required('Event ids, such as documentCreated; at most 100.') },
  run: async ({ load }, _, { counterNames }) => {
    if (counterNames.length > most)
      throw new Invalid(`counterNames: ${counterNames.length} names, at most ${most}`);
    const counts = await load.eventCounts(counterNames);
    return Object.fromEntries(counterNames.map((name) => [name, { value: counts.get(name) ?? 0 }]));
  },
});
