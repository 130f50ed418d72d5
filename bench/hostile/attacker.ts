import supertest from 'supertest';
import { readConfig } from '../../src/config.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { administrator } from '../../test/support/administrator.ts';
import { cpuTime } from '../processes.ts';
import { type Attack, attacks, bodyOf } from './attacks.ts';
import { type Listed, layListing, readListing } from './listings.ts';
import { basic, type Credentials, Place, passwords } from './place.ts';
import { type Ask, reproductions } from './reproductions.ts';
import { type Answer, send } from './sender.ts';

/** What the process of the hostile user is told. */
export interface Order {
  readonly url: string;
  readonly pid: number;
  /** A part of the names of the attacks, or of a family. */
  readonly only: string;
  /** Each attack so many times. */
  readonly repeat: number;
  /** Only each so-manieth attack. */
  readonly each: number;
  /** After so many minutes no further attack is sent. */
  readonly minutes: number;
  /** How long listings are read, in seconds. */
  readonly listing: number;
}

/** One hostile request, or a reproduction of several. Times are in milliseconds since 1970. */
export interface Sent {
  readonly family: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly status: number;
  /** CPU time of the server meanwhile, in milliseconds, that of other users included. */
  readonly cpu: number;
  /** The beginning of the answer, where it is not as it should be. */
  readonly text: string;
}

export type Told =
  | { readonly is: 'laid'; readonly other: string }
  | { readonly is: 'begins'; readonly family: string }
  | { readonly is: 'sent'; readonly sent: Sent }
  | { readonly is: 'done'; readonly unsent: number };

const { BODY_LIMIT, JSON_VALUES_LIMIT } = readConfig({});

const size = { bytes: BODY_LIMIT - 1, values: JSON_VALUES_LIMIT };

/** Time for an answer, in seconds. */
const timeout = 120;

const now = (): number => performance.timeOrigin + performance.now();

/** A hostile user is answered with success, a 4xx, or a 503 when the server is busy. */
export const isFault = ({ status }: Pick<Sent, 'status'>): boolean =>
  status === 0 || (status >= 500 && status !== 503 && status !== 501);

/**
 * Runs until everything is sent. A hostile user has a computer of his own, so what takes the CPUs of the server is kept
 * small: the large bodies are made before the first request, and no answer is parsed.
 */
export async function attack(
  { url, pid, only, repeat, each, minutes, listing }: Order,
  tell: (told: Told) => void,
  begin: Promise<unknown>,
): Promise<void> {
  const users = {
    administrator: supertest.agent(url).auth(administrator.username, administrator.password),
    member: supertest.agent(url).auth('mallory', passwords.member),
  };
  const credentials: Credentials = {
    administrator: basic(administrator.username, administrator.password),
    member: basic('mallory', passwords.member),
    spare: basic('spare', passwords.spare),
  };
  const place = new Place(users);
  await place.lay();
  const isChosen = (family: string, name: string) =>
    only === '' || family.includes(only) || name.includes(only);

  let latest = '';
  /** Measures a request from outside. */
  const measure = async (family: string, name: string, request: () => Promise<Answer | undefined>) => {
    if (family !== latest) tell({ is: 'begins', family });
    latest = family;
    const [start, before] = [now(), await cpuTime(pid)];
    const answer = await request();
    if (!answer) return;
    const { status, text } = answer;
    const cpu = ((await cpuTime(pid)) ?? Number.NaN) - (before ?? Number.NaN);
    const sent = {
      family,
      name,
      start,
      end: now(),
      status,
      cpu,
      text: isFault({ status }) ? text.slice(0, 2_000) : '',
    };
    tell({ is: 'sent', sent });
  };

  const ask: Ask = (method, address, body = Buffer.alloc(0), type = 'application/json') =>
    send(
      {
        method,
        url: url + address,
        headers: { authorization: credentials.member, 'content-type': type },
        parts: [Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))],
      },
      timeout,
    );
  const scene = {
    ask,
    folder: `/api/v1/id/${place.folder}`,
    path: place.path,
    other: '/default-domain/workspaces/bob',
    scale: 1,
  };
  const prepared = reproductions
    .filter(({ name }) => isChosen('reproductions', name))
    .map(({ name, prepare }) => ({ name, run: prepare(scene) }));
  const model = await loadModel(undefined);
  const types = ['File', 'Note'].flatMap((name) => model.types.get(name) ?? []);
  const chosen = attacks({ types })
    .filter(({ target, name }) => isChosen(target.family, name))
    .filter((_, index) => index % each === 0);
  for (const one of chosen) bodyOf(one, size, () => place.folder); // what it makes is kept
  const listed: Listed | undefined =
    isChosen('listings', '') && listing > 0 ? await layListing(scene) : undefined;
  tell({ is: 'laid', other: place.other });
  await begin;

  const end = now() + minutes * 60_000;
  for (const { name, run } of prepared)
    for (let turn = 0; turn < repeat; turn += 1) await measure('reproductions', name, run);

  const unsent: Attack[] = [];
  for (const one of chosen) {
    if (now() > end) unsent.push(one);
    for (let turn = 0; turn < repeat && now() <= end; turn += 1)
      await measure(one.target.family, one.name, () => place.send(url, one, size, credentials));
  }

  if (listed) await readListing(listed, ask, listing, (name, request) => measure('listings', name, request));
  tell({ is: 'done', unsent: unsent.length });
}
