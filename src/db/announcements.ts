export type Topic = 'principals' | 'acls' | 'positions' | 'executions' | 'jobs' | 'login-failures';

/** Changes that were made by this process and by every other one on the same database. */
export interface Announcements {
  /**
   * Calls back whenever something of the topic has changed, and whenever an announcement may have been
   * missed; then without a detail.
   * @returns a function that unregisters the callback.
   */
  on(topic: Topic, changed: (detail?: string) => void): () => void;
  /** Tells the other processes alone, at once. @param detail without spaces. */
  tellOthers(topic: Topic, detail: string): Promise<void>;
  /** Whether announcements of other processes arrive: while they do not, nothing may be cached. */
  isConnected(): boolean;
  /**
   * Waits until this process has followed every announcement that was made before the call: PostgreSQL delivers
   * them after it has answered their sender. It takes one round trip, which concurrent calls share.
   * @returns false where that cannot be known, because announcements do not arrive or come late.
   */
  arrived(): Promise<boolean>;
}

export interface AnnouncementReceiver {
  readonly onTopic: (topic: string, detail?: string) => void;
  /** Announcements may have been lost before now: everything may have changed. */
  readonly onGap: () => void;
}

type ListenForAnnouncements = (
  receiver: AnnouncementReceiver,
) => Pick<Announcements, 'isConnected' | 'arrived'>;

export interface OtherProcesses {
  readonly listen: ListenForAnnouncements;
  /** @param detail without spaces. */
  notify(topic: string, detail?: string): Promise<void>;
}

/** The callbacks of this process; `notify` is for what this process has changed itself. */
export function createAnnouncements({
  listen,
  notify: tell,
}: OtherProcesses): Announcements & { notify(topics: Iterable<string>): void } {
  const callbacks = new Map<string, Set<(detail?: string) => void>>();
  const callBack = (topic: string, detail?: string): void => {
    for (const changed of callbacks.get(topic) ?? []) changed(detail);
  };
  const notify = (topics: Iterable<string>): void => {
    for (const topic of topics) callBack(topic);
  };
  let listener: ReturnType<ListenForAnnouncements> | undefined;
  return {
    notify,
    tellOthers: (topic, detail) => tell(topic, detail),
    on: (topic, changed) => {
      const registered = callbacks.get(topic) ?? new Set();
      callbacks.set(topic, registered.add(changed));
      listener ??= listen({ onTopic: callBack, onGap: () => notify(callbacks.keys()) });
      return () => {
        registered.delete(changed);
      };
    },
    isConnected: () => !listen || listener?.isConnected() === true,
    arrived: async () => !listen || (await listener?.arrived()) === true,
  };
}
