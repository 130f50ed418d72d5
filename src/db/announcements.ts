/** What is announced when it changes, so that no process goes by what it remembers of it. */
export type Topic = 'principals' | 'executions';

/** Word of changes, from this process and from every other one on the same database. */
export interface Announcements {
  /**
   * Calls back whenever something of the topic has changed, and whenever word of it may have been missed.
   * @returns how to stop.
   */
  on(topic: Topic, changed: () => void): () => void;
  /** Whether word of other processes arrives: while it does not, nothing may be remembered. */
  areHeard(): boolean;
}

/** What a driver calls with word of other processes. */
export interface Ear {
  readonly heard: (topic: string) => void;
  /** Word may have been lost before now: everything may have changed. */
  readonly missed: () => void;
}

/** How word of other processes is got; it is asked for when somebody listens for the first time. */
export type Listen = (ear: Ear) => { readonly isHearing: () => boolean };

/** The listeners of this process; `tell` is for what this process has changed itself. */
export function createAnnouncements(
  listen?: Listen,
): Announcements & { tell(topics: Iterable<string>): void } {
  const listeners = new Map<string, Set<() => void>>();
  const tell = (topics: Iterable<string>): void => {
    for (const topic of topics) for (const changed of listeners.get(topic) ?? []) changed();
  };
  let hearing: ReturnType<Listen> | undefined;
  return {
    tell,
    on: (topic, changed) => {
      const those = listeners.get(topic) ?? new Set();
      listeners.set(topic, those.add(changed));
      hearing ??= listen?.({ heard: (told) => tell([told]), missed: () => tell(listeners.keys()) });
      return () => {
        those.delete(changed);
      };
    },
    areHeard: () => !listen || hearing?.isHearing() === true,
  };
}
