export type Topic = 'principals' | 'acls' | 'positions' | 'executions' | 'jobs' | 'login-failures';

/** Announcements of changes that this process and all others on the same database have made. */
export interface Announcements {
  /**
   * Calls back whenever something of the topic has changed. It also calls back, without a detail, whenever an
   * announcement may have been missed.
   * @returns a function that unregisters the callback
   */
  on(topic: Topic, changed: (detail?: string) => void): () => void;
  /** Announces a change at once, but only to the other processes. @param detail a text without spaces. */
  tellOthers(topic: Topic, detail: string): Promise<void>;
  /** Whether announcements of other processes arrive. While they do not, nothing must be cached. */
  isConnected(): boolean;
  /**
   * Waits until this process has handled every announcement that was made before the call. PostgreSQL answers the sender
   * of an announcement before it delivers it, so a client can learn of a change earlier than this process. The check
   * takes one round trip, which concurrent calls share.
   * @returns false if that cannot be known, because announcements do not arrive or arrive late
   */
  arrived(): Promise<boolean>;
}

export interface AnnouncementReceiver {
  readonly onTopic: (topic: string, detail?: string) => void;
  /** Announcements may have been lost, so everything may have changed. */
  readonly onGap: () => void;
}

type ListenForAnnouncements = (
  receiver: AnnouncementReceiver,
) => Pick<Announcements, 'isConnected' | 'arrived'>;

export interface OtherProcesses {
  readonly listen: ListenForAnnouncements;
  /** Announces a change to other processes. @param detail a text without spaces. */
  notify(topic: string, detail?: string): Promise<void>;
}

/** Creates the announcements of this process. `notify` calls the callbacks for changes by this process itself. */
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
