import { setTimeout as wait } from 'node:timers/promises';
import type { Part } from './parts.ts';
import { type PatroniCluster, ttl } from './patroni.ts';

/** How long a leader is away, in milliseconds: long enough for another one to be elected. */
const away = (ttl + 15) * 1000;

/** The maximum time without an acknowledged write, in seconds. */
const maxPause = ttl + 5;

type Leader = Awaited<ReturnType<PatroniCluster['leader']>>;

/** The failures of the leader, in the order in which they happen. */
export function patroniParts(cluster: PatroniCluster): Part[] {
  const { leader, untilWhole, kill, revive, freeze, thaw, unplug, plugIn, switchOver } = cluster;
  /** A part in which the leader fails and comes back later. */
  const losing = (
    name: string,
    fail: (leader: Leader) => Promise<void>,
    comeBack: (leader: Leader) => Promise<void> | void,
  ): Part => ({
    name,
    isSmooth: false,
    maxPause,
    happen: async (mark) => {
      const former = await leader();
      await fail(former);
      mark(`the leader ${former} was lost`);
      await wait(away);
      const next = await leader();
      await comeBack(former);
      mark(`${former} came back`);
      await untilWhole();
      mark('the cluster was whole again');
      return { text: `the leader was ${former}, then ${next}`, isFault: next === former };
    },
  });
  return [
    { name: 'nothing', isSmooth: true, happen: async () => undefined },
    losing('the leader is killed', kill, revive),
    losing('the leader is frozen', freeze, thaw),
    losing('the leader is cut off from the network', unplug, plugIn),
    {
      name: 'a switchover',
      isSmooth: false,
      maxPause,
      happen: async (mark) => {
        const former = await leader();
        await switchOver(former);
        mark('the switchover ended');
        await untilWhole();
        const next = await leader();
        return { text: `the leader was ${former}, then ${next}`, isFault: next === former };
      },
    },
  ];
}
