import { useEffect } from 'react';
import { isViewingAs } from '../app/view-as.ts';
import { ownHeaders, refresh } from './client.ts';
import type { Operation } from './operation.ts';
import { type DocumentChangesSubscription, documentChanges } from './operations.ts';

type Change = DocumentChangesSubscription['documentEvents'][number]['entry'];

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
 * Follows the changes of documents until the signal is aborted. A stream that ends is opened again, after ever longer
 * pauses. Changes between two streams are missed, so a new stream begins with a reload.
 */
async function follow(path: string, signal: AbortSignal, onChanges: (changes: Change[]) => void) {
  for (let interval = retryIntervals.first; !signal.aborted; ) {
    const began = performance.now();
    await stream(documentChanges, { path }, signal, ({ documentEvents }) =>
      onChanges(documentEvents.map(({ entry }) => entry)),
    ).catch(() => {});
    interval =
      performance.now() - began > retryIntervals.most
        ? retryIntervals.first
        : Math.min(interval * 2, retryIntervals.most);
    await pause(interval);
  }
}

/**
 * Reloads the data of the screen when somebody changes a document at or below a path. While the page is hidden, it does
 * not listen, because a browser opens only a few connections to a server. It reloads when it is shown again.
 * @param isShown returns whether the screen shows anything about a change
 */
export function useLive(path: string | undefined, isShown: (change: Change) => boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function does the same for the same path
  useEffect(() => {
    if (path === undefined || isViewingAs()) return;
    let connection: AbortController | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reloadedAt = Number.NEGATIVE_INFINITY;
    const reload = () => {
      timer = undefined;
      reloadedAt = performance.now();
      void refresh();
    };
    const note = (changes: Change[]) => {
      if (timer !== undefined || !changes.some(isShown)) return;
      timer = setTimeout(reload, Math.max(0, reloadedAt + reloadInterval - performance.now()));
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
  }, [path]);
}
