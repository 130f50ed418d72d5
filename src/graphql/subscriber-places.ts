import { TooManyRequests, Unavailable } from '../errors.ts';

/** Subscribers of a process. */
export const most = { all: 100, ofUser: 10 } as const;

/** Seconds. */
const retryAfter = 30;

/** Counts the subscribers of this process. */
export function createSubscriberPlaces() {
  const taken = new Map<string, number>();
  let all = 0;
  const add = (user: string, change: 1 | -1): void => {
    all += change;
    const count = (taken.get(user) ?? 0) + change;
    if (count > 0) taken.set(user, count);
    else taken.delete(user);
  };
  /** Returns what frees the place again, once. @throws TooManyRequests, Unavailable */
  return (user: string): (() => void) => {
    if ((taken.get(user) ?? 0) >= most.ofUser)
      throw new TooManyRequests(`${user} has ${most.ofUser} subscriptions already`, retryAfter);
    if (all >= most.all) throw new Unavailable(`there are ${most.all} subscriptions already`);
    add(user, 1);
    let isTaken = true;
    return () => {
      if (isTaken) add(user, -1);
      isTaken = false;
    };
  };
}
