import { setTimeout as wait } from 'node:timers/promises';
import { type ThreadTime, threadTime, timeSince } from '../processes.ts';
import { basic, passwords } from './place.ts';
import { send } from './sender.ts';

export type Deed = 'live' | 'read' | 'write' | 'search' | 'found';

/** One request of somebody else; `found` is how long it took until a search found a new document. */
export interface Sample {
  readonly kind: Deed;
  /** In milliseconds since 1970. */
  readonly start: number;
  /** How long it took, in milliseconds. */
  readonly took: number;
  readonly isOk: boolean;
  /** What was wrong. */
  readonly fault?: string;
  /** The request, without its parameters. */
  readonly request?: string;
  /** Milliseconds for which the server's main thread computed meanwhile, and for which it waited for a CPU. */
  readonly thread?: ThreadTime | undefined;
  /** What the server says about the time it took: `Server-Timing`. */
  readonly timing?: string;
  /** Milliseconds by which the index was behind, where a search did not wait for it. */
  readonly searchDelay?: number;
}

/** A folder of the user who works while another one is hostile. */
export interface Work {
  readonly url: string;
  /** The process of the server. */
  readonly pid: number;
  readonly folder: string;
}

/** Milliseconds between the starts of two requests. */
const pauses = { live: 25, read: 50, write: 200, search: 100 };

/** A document that is not found for so many milliseconds is given up. */
const longestSearch = 60_000;

const now = (): number => performance.timeOrigin + performance.now();

/** Works as an ordinary user until it is told to stop, and hands over what it has seen four times a second. */
export function work({ url, pid, folder }: Work, tell: (samples: Sample[]) => void): () => Promise<void> {
  let isOver = false;
  let seen: Sample[] = [];
  const headers = { authorization: basic('bob', passwords.other), 'content-type': 'application/json' };

  const timed = async (kind: Deed, path: string, method = 'GET', body = ''): Promise<string> => {
    const [start, before] = [now(), threadTime(pid)];
    const answer = await send(
      { method, url: url + path, headers, parts: body ? [Buffer.from(body)] : [] },
      longestSearch / 1_000,
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

  /** Starts a request at each beat, whether the last one is answered or not. */
  const beat = async (pause: number, request: () => Promise<unknown>): Promise<void> => {
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

  /** Searches for the newest document until it is found, and then for the one that is the newest then. */
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
      while (!found && !isOver && now() - at < longestSearch) {
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
    beat(pauses.live, () => timed('live', '/health/live')),
    beat(pauses.read, read),
    beat(pauses.write, write),
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
