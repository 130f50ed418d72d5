import { setTimeout as wait } from 'node:timers/promises';
import { type ThreadTime, threadTime, timeSince } from '../processes.ts';
import { basic, passwords } from './place.ts';
import { send } from './sender.ts';

export type SampleKind = 'live' | 'read' | 'write' | 'search' | 'found';

/** A request of another user. The kind `found` measures how long it took until a search found a new document. */
export interface Sample {
  readonly kind: SampleKind;
  /** The start in milliseconds since 1970. */
  readonly start: number;
  /** The duration in milliseconds. */
  readonly took: number;
  readonly isOk: boolean;
  /** A description of the fault. */
  readonly fault?: string;
  /** The request, without its parameters. */
  readonly request?: string;
  /** For how long the server's main thread computed meanwhile, and for how long it waited for a CPU, in milliseconds. */
  readonly thread?: ThreadTime | undefined;
  /** The header `Server-Timing` of the response. */
  readonly timing?: string;
  /** How far the index was behind, in milliseconds, if a search did not wait for it. */
  readonly searchDelay?: number;
}

/** The server, and the folder of a user who works while another user is hostile. */
export interface Work {
  readonly url: string;
  /** The process id of the server. */
  readonly pid: number;
  readonly folder: string;
}

/** The intervals between the starts of two requests, in milliseconds. */
const pauses = { live: 25, read: 50, write: 200, search: 100 };

/** How long a new document is searched for, in milliseconds. */
const searchTimeout = 60_000;

const now = (): number => performance.timeOrigin + performance.now();

/** Works as an ordinary user and reports its samples four times a second. @returns a function that stops it */
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

  /** Starts requests at a fixed interval, whether or not earlier ones have been answered. */
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

  /** Searches for the newest document until it is found, then for the next one that is the newest, and so on. */
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
          ...(!found && { fault: `${word} is not found` }),
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
