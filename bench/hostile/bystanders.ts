import { setTimeout as wait } from 'node:timers/promises';
import { type ThreadTime, threadTime, timeSince } from '../processes.ts';
import { basic, passwords } from './place.ts';
import { send } from './sender.ts';

export type SampleKind = 'live' | 'read' | 'write' | 'search' | 'found';

/**
 * A measured request of another user. The kind `found` measures how long it takes until a search finds a new document.
 */
export interface Sample {
  readonly kind: SampleKind;
  /** The start of the request, in milliseconds since 1970. */
  readonly start: number;
  /** The duration in milliseconds. */
  readonly took: number;
  readonly isOk: boolean;
  /** A description of the fault. */
  readonly fault?: string;
  /** The request without its parameters. */
  readonly request?: string;
  /**
   * How long the server's main thread was computing during the request, and how long it waited for a CPU, in
   * milliseconds.
   */
  readonly thread?: ThreadTime | undefined;
  /** The value of the response header `Server-Timing`. */
  readonly timing?: string;
  /**
   * The number of milliseconds by which the search index lagged behind, if the search did not wait for it.
   */
  readonly searchDelay?: number;
}

/** The server, and the folder of a user who works while another user sends hostile requests. */
export interface Work {
  readonly url: string;
  readonly pid: number;
  readonly folder: string;
}

/** The intervals between the starts of successive requests of each kind, in milliseconds. */
const pauses = { live: 25, read: 50, write: 200, search: 100 };

/** How long to search for a new document, in milliseconds. */
const searchTimeout = 60_000;

const now = (): number => performance.timeOrigin + performance.now();

/**
 * Sends the requests of an ordinary user, and reports the measurements four times a second.
 * @returns a function that stops the requests
 */
export function work({ url, pid, folder }: Work, tell: (samples: Sample[]) => void): () => Promise<void> {
  let isOver = false;
  let seen: Sample[] = [];
  const headers = { authorization: basic('bob', passwords.other), 'content-type': 'application/json' };

  const timed = async (kind: SampleKind, path: string, method = 'GET', body = ''): Promise<string> => {
    const [start, before] = [now(), threadTime(pid)];
    const answer = await send(
      { method, url: url + path, headers, parts: body ? [Buffer.from(body)] : [] },
      searchTimeout / 1_000,
    );
    const { status, text } = answer;
    const isOk = status >= 200 && status < 300;
    seen.push({
      kind,
      start,
      took: now() - start,
      isOk,
      request: `${method} ${path.replace(/\?.*/, '')}`,
      thread: timeSince(before, threadTime(pid)),
      timing: String(answer.headers['server-timing'] ?? ''),
      searchDelay: Number(answer.headers['x-search-delay'] ?? 0),
      ...(!isOk && { fault: `${status} ${text.slice(0, 300)}` }),
    });
    return isOk ? text : '';
  };

  /** Starts requests at a fixed interval, without waiting for earlier responses. */
  const repeat = async (pause: number, request: () => Promise<unknown>): Promise<void> => {
    const waiting = new Set<Promise<unknown>>();
    for (let next = now(); !isOver; next += pause) {
      const sent = request().finally(() => waiting.delete(sent));
      waiting.add(sent);
      await wait(Math.max(0, next + pause - now()));
    }
    await Promise.all(waiting);
  };

  let [count, latest] = [0, { word: '', at: 0 }];
  const write = async () => {
    count += 1;
    const word = `word${count}x${Math.random().toString(36).slice(2)}`;
    const body = { 'entity-type': 'document', type: 'Note', name: word, properties: { 'dc:title': word } };
    const answer = await timed('write', `/api/v1/id/${folder}`, 'POST', JSON.stringify(body));
    if (answer) latest = { word, at: now() };
  };

  /** Searches for the newest document until it is found, then for the document that is now the newest, and so on. */
  const search = async () => {
    while (!isOver) {
      const { word, at } = latest;
      if (word === '') {
        await wait(pauses.search);
        continue;
      }
      const query = new URLSearchParams({ query: `SELECT * FROM Document WHERE dc:title = '${word}'` });
      const isFound = async () => (await timed('search', `/api/v1/search/execute?${query}`)).includes(word);
      let found = await isFound();
      while (!found && !isOver && now() - at < searchTimeout) {
        await wait(20);
        found = await isFound();
      }
      if (found || !isOver)
        seen.push({
          kind: 'found',
          start: at,
          took: now() - at,
          isOk: found,
          ...(!found && { fault: `the search does not find ${word}` }),
        });
      await wait(pauses.search);
    }
  };

  let turn = 0;
  const read = () => {
    turn += 1;
    return timed(
      'read',
      turn % 4 === 0 ? `/api/v1/id/${folder}/@children?pageSize=20` : `/api/v1/id/${folder}`,
    );
  };

  const hand = async () => {
    while (!isOver) {
      await wait(250);
      tell(seen.splice(0));
    }
  };

  const working = Promise.all([
    repeat(pauses.live, () => timed('live', '/health/live')),
    repeat(pauses.read, read),
    repeat(pauses.write, write),
    search(),
    hand(),
  ]);
  return async () => {
    isOver = true;
    await working;
    tell(seen);
    seen = [];
  };
}
