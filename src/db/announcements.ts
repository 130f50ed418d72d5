export type Topic = 'principals' | 'acls' | 'positions' | 'executions' | 'jobs' | 'login-failures';

/** Announcements of changes made by this process or by any other process on the same database. */
export interface Announcements {
  /**
   * Registers a callback that is called whenever data that belongs to the topic has changed. It is also called, without
   * a detail, whenever an announcement may have been missed.
   * @returns a function that unregisters the callback
   */
  on(topic: Topic, changed: (detail?: string) => void): () => void;
  /**
   * Announces a change immediately, but only to the other processes.
   * @param detail a string without spaces
   */
  tellOthers(topic: Topic, detail: string): Promise<void>;
  /** Whether announcements from other processes are arriving. While they are not, nothing may be cached. */
  isConnected(): boolean;
  /**
   * Waits until this process has handled every announcement made before the call. PostgreSQL responds to the sender of
   * an announcement before it delivers the announcement, so a client can learn of a change earlier than this process
   * does. The check takes one round trip, which concurrent calls share.
   * @returns false if this cannot be determined, because announcements do not arrive or arrive late
   */
  arrived(): Promise<boolean>;
}

export interface AnnouncementReceiver {
  readonly onTopic: (topic: string, detail?: string) => void;
  /** Called when announcements may have been lost. The data of any topic may then have changed. */
  readonly onGap: () => void;
}

type ListenForAnnouncements = (
  receiver: AnnouncementReceiver,
) => Pick<Announcements, 'isConnected' | 'arrived'>;

export interface OtherProcesses {
  readonly listen: ListenForAnnouncements;
  /**
   * Announces a change to other processes.
   * @param detail a string without spaces
   */
  notify(topic: string, detail?: string): Promise<void>;
}

/** Creates this process's announcements. `notify` also calls the callbacks that are registered in this process. */
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
