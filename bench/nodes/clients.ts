import { setTimeout as wait } from 'node:timers/promises';
import { basic } from './users.ts';

/** Milliseconds between two requests of a client. */
const pause = 20;

/** What clients have seen. */
export interface Seen {
  /** How often each status was answered; 0 is no answer. */
  readonly statuses: Map<number, number>;
  /** Reads and searches that were older than what their caller had written. */
  old: number;
  longest: number;
}

export const nothingSeen = (): Seen => ({ statuses: new Map(), old: 0, longest: 0 });

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A user with a document of its own, who counts in its title. */
export interface Writer {
  readonly user: string;
  readonly path: string;
  /** The last number that was acknowledged, and the last one that was sent. */
  acknowledged: number;
  sent: number;
  uploads: string[];
}

type Ask = (method: string, path: string, body?: object) => Promise<Answer>;

/** Asks as a user, who returns cookies or does not. */
function asker(url: string, user: string, keepsCookies: boolean, seen: () => Seen): Ask {
  let cookie = '';
  return async (method, path, body) => {
    const now = seen();
    const began = performance.now();
    const headers: Record<string, string> = {
      authorization: basic(user),
      'content-type': 'application/json',
    };
    if (keepsCookies && cookie) headers.cookie = cookie;
    let answer: Answer = { status: 0, body: undefined };
    try {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      const text = await response.text();
      answer = { status: response.status, body: response.ok && text ? JSON.parse(text) : undefined };
    } catch {
      // no answer
    }
    now.statuses.set(answer.status, (now.statuses.get(answer.status) ?? 0) + 1);
    now.longest = Math.max(now.longest, performance.now() - began);
    return answer;
  };
}

const numberIn = (title: unknown): number => Number(/-(\d+)$/.exec(String(title))?.[1]);

/** Writes, reads and searches its own document, and now and then makes one with a file. */
export async function write(
  url: string,
  writer: Writer,
  { seen, isOver, keepsCookies }: { seen: () => Seen; isOver: () => boolean; keepsCookies: boolean },
): Promise<void> {
  const ask = asker(url, writer.user, keepsCookies, seen);
  const { path, user } = writer;
  for (let turn = 0; !isOver(); turn += 1) {
    writer.sent += 1;
    const number = writer.sent;
    const put = { 'entity-type': 'document', properties: { 'dc:title': `${user}-${number}` } };
    if ((await ask('PUT', `/path${path}`, put)).status === 200) writer.acknowledged = number;
    const known = writer.acknowledged;
    const { body } = await ask('GET', `/path${path}`);
    if (body && numberIn((body as { title: string }).title) < known) seen().old += 1;
    if (turn % 4 === 0 && known === writer.sent) {
      const query = encodeURIComponent(`SELECT * FROM Document WHERE dc:title = '${user}-${known}'`);
      const found = await ask('GET', `/search/lang/NXQL/execute?query=${query}`);
      if (found.body && (found.body as { resultsCount: number }).resultsCount !== 1) seen().old += 1;
    }
    if (turn % 10 === 0) {
      const name = `${user}-file-${turn}-${Date.now()}`;
      const content = { content: `file ${name}`, encoding: 'utf-8', 'mime-type': 'text/plain', name };
      const file = { 'entity-type': 'document', type: 'File', name, properties: { 'file:content': content } };
      if ((await ask('POST', `/path${path}`, file)).status === 201) writer.uploads.push(name);
    }
    await wait(pause);
  }
}

/** Reads and searches what others write. */
export async function read(
  url: string,
  user: string,
  paths: readonly string[],
  { seen, isOver }: { seen: () => Seen; isOver: () => boolean },
): Promise<void> {
  const ask = asker(url, user, false, seen);
  for (let turn = 0; !isOver(); turn += 1) {
    await ask('GET', `/path${paths[turn % paths.length]}`);
    if (turn % 5 === 0)
      await ask('GET', `/search/lang/NXQL/execute?query=${encodeURIComponent('SELECT * FROM Folder')}`);
    await wait(pause);
  }
}
