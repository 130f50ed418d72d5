import { useEffect } from 'react';
import { isViewingAs } from '../app/view-as.ts';
import { createStore } from '../parts/store.ts';
import { ownHeaders, refresh } from './client.ts';
import type { Operation } from './operation.ts';
import { type DocumentChangesSubscription, documentChanges } from './operations.ts';

type Event = DocumentChangesSubscription['documentEvents'][number];
type Change = Event['entry'];

/** The number of milliseconds between two reloads, so that many changes in a row do not cause as many requests. */
const reloadInterval = 2_000;

/** The number of milliseconds after which a stream that has ended is opened again, at first and at most. */
const retryIntervals = { first: 2_000, most: 60_000 };

/** Splits a stream of bytes into the data of server-sent events. */
async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const parts = (rest + read.value).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const data = part.split('\n').find((line) => line.startsWith('data:'));
      if (data && data.length > 'data:'.length) yield data.slice('data:'.length);
    }
  }
}

/** Opens a stream of server-sent events. It ends when the signal is aborted, or when the server ends it. */
async function stream<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
  onData: (data: Data) => void,
): Promise<void> {
  const response = await fetch('graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...ownHeaders() },
    body: JSON.stringify({ query: operation.text, variables }),
    signal,
  });
  if (!response.ok || !response.body) throw new Error(response.statusText);
  for await (const event of eventsOf(response.body)) {
    const { data } = JSON.parse(event) as { readonly data?: Data | null };
    if (data) onData(data);
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Follows the changes of documents and the inbox until the signal is aborted. A stream that ends is opened again, after
 * ever longer pauses. Changes between two streams are missed until the next reload.
 */
async function follow(
  path: string | null,
  signal: AbortSignal,
  onEvents: (events: readonly Event[]) => void,
) {
  for (let interval = retryIntervals.first; !signal.aborted; ) {
    const began = performance.now();
    await stream(documentChanges, { path }, signal, ({ documentEvents }) => onEvents(documentEvents)).catch(
      () => {},
    );
    interval =
      performance.now() - began > retryIntervals.most
        ? retryIntervals.first
        : Math.min(interval * 2, retryIntervals.most);
    await pause(interval);
  }
}

interface Watched {
  readonly path: string;
  readonly isShown: (change: Change) => boolean;
}

/** The document or folder on the screen, whose changes are shown. */
const watched = createStore<Watched | undefined>(undefined);

/**
 * Reloads the data of the screen when somebody changes a document at or below a path.
 * @param isShown returns whether the screen shows anything about a change
 */
export function useLive(path: string | undefined, isShown: (change: Change) => boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function does the same for the same path
  useEffect(() => {
    if (path === undefined) return;
    const own = { path, isShown };
    watched.set(own);
    return () => {
      if (watched.get() === own) watched.set(undefined);
    };
  }, [path]);
}

const isWithin = (place: string | null, path: string): boolean =>
  place === path || (place?.startsWith(path === '/' ? path : `${path}/`) ?? false);

/**
 * Keeps the one stream of events of the page: about the documents that the screen shows, and about the inbox. While the
 * page is hidden, it does not listen, because a browser opens only a few connections to a server. It reloads when it is
 * shown again.
 */
export function useLiveUpdates(refreshInbox: () => Promise<unknown>): void {
  const path = watched.use()?.path ?? null;
  useEffect(() => {
    if (isViewingAs()) return;
    let connection: AbortController | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isInboxOnly = true;
    let reloadedAt = Number.NEGATIVE_INFINITY;
    const reload = () => {
      timer = undefined;
      reloadedAt = performance.now();
      void (isInboxOnly ? refreshInbox() : refresh());
      isInboxOnly = true;
    };
    const note = (events: readonly Event[]) => {
      const shown = watched.get();
      const isOnScreen = events.some(
        ({ entry }) => shown && isWithin(entry.docPath, shown.path) && shown.isShown(entry),
      );
      if (!isOnScreen && !events.some(({ isInInbox }) => isInInbox)) return;
      isInboxOnly &&= !isOnScreen;
      timer ??= setTimeout(reload, Math.max(0, reloadedAt + reloadInterval - performance.now()));
    };
    const listen = () => {
      if (document.hidden) {
        connection?.abort();
        connection = undefined;
      } else if (!connection) {
        connection = new AbortController();
        void follow(path, connection.signal, note);
      }
    };
    const show = () => {
      if (!document.hidden && !connection) void refresh();
      listen();
    };
    listen();
    document.addEventListener('visibilitychange', show);
    return () => {
      document.removeEventListener('visibilitychange', show);
      clearTimeout(timer);
      connection?.abort();
    };
  }, [path, refreshInbox]);
}
