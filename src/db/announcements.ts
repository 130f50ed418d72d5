export type Topic = 'principals' | 'executions' | 'jobs' | 'bulk';

/** Changes that were made by this process and by every other one on the same database. */
export interface Announcements {
  /**
   * Calls back whenever something of the topic has changed, and whenever an announcement may have been
   * missed.
   * @returns a function that unregisters the callback.
   */
  on(topic: Topic, changed: () => void): () => void;
  /** Whether announcements of other processes arrive: while they do not, nothing may be cached. */
  isConnected(): boolean;
}

export interface AnnouncementReceiver {
  readonly onTopic: (topic: string) => void;
  /** Announcements may have been lost before now: everything may have changed. */
  readonly onGap: () => void;
}

export type ListenForAnnouncements = (receiver: AnnouncementReceiver) => {
  readonly isConnected: () => boolean;
};

/** The callbacks of this process; `notify` is for what this process has changed itself. */
export function createAnnouncements(
  listen: ListenForAnnouncements,
): Announcements & { notify(topics: Iterable<string>): void } {
  const callbacks = new Map<string, Set<() => void>>();
  const notify = (topics: Iterable<string>): void => {
    for (const topic of topics) for (const changed of callbacks.get(topic) ?? []) changed();
  };
  let listener: ReturnType<ListenForAnnouncements> | undefined;
  return {
    notify,
    on: (topic, changed) => {
      const registered = callbacks.get(topic) ?? new Set();
      callbacks.set(topic, registered.add(changed));
      listener ??= listen({ onTopic: (name) => notify([name]), onGap: () => notify(callbacks.keys()) });
      return () => {
        registered.delete(changed);
      };
    },
    isConnected: () => !listen || listener?.isConnected() === true,
  };
}
