import supertest from 'supertest';
import { readConfig } from '../../src/config.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { administrator } from '../../test/support/administrator.ts';
import { cpuTime } from '../processes.ts';
import { type Attack, attacks, bodyOf } from './attacks.ts';
import { layListings } from './listings.ts';
import { basic, type Credentials, Place, passwords } from './place.ts';
import { type Ask, reproductions } from './reproductions.ts';
import { type Answer, type GraphqlError, graphqlErrorIn, send } from './sender.ts';

/** The parameters of the process that acts as the hostile user. */
export interface Order {
  readonly url: string;
  readonly pid: number;
  /** Sends only the attacks whose name or family contains this text. */
  readonly only: string;
  /** The number of times that each attack is sent. */
  readonly repeat: number;
  /** Sends only every nth attack. */
  readonly each: number;
  /** The number of minutes after which no further attack is sent. */
  readonly minutes: number;
  /** The number of seconds for which listings are read. */
  readonly listing: number;
}

/**
 * The result of a hostile request, or of a reproduction that consists of several requests. Times are in
 * milliseconds since 1970.
 */
export interface Sent {
  readonly family: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly status: number;
  /** The first error in a GraphQL response with status 200. */
  readonly error?: GraphqlError | undefined;
  /** The CPU time that the server used during the request, in milliseconds. It includes work for other users. */
  readonly cpu: number;
  /** The beginning of the response, if it indicates a fault. */
  readonly text: string;
}

export type Told =
  | { readonly is: 'laid'; readonly other: string }
  | { readonly is: 'begins'; readonly family: string }
  | { readonly is: 'sent'; readonly sent: Sent }
  | { readonly is: 'done'; readonly unsent: number };

const { BODY_LIMIT, JSON_VALUES_LIMIT } = readConfig({});

const size = { bytes: BODY_LIMIT - 1, values: JSON_VALUES_LIMIT };

/** The number of seconds after which a request times out. */
const timeout = 120;

const now = (): number => performance.timeOrigin + performance.now();

/**
 * Returns whether a response is a fault. A hostile user can expect a success, a 4xx status, or a 503 from a busy
 * server.
 */
export const isFault = ({ status, error }: Pick<Sent, 'status' | 'error'>): boolean =>
  status === 0 ||
  (status >= 500 && status !== 503 && status !== 501) ||
  error?.code === 'INTERNAL_SERVER_ERROR';

/**
 * Sends all attacks. A real attacker would use another computer, so this process takes as little CPU time from the
 * server as possible: it creates the large bodies in advance and does not parse responses.
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
  /** Sends a request and measures the response time as the client sees it. */
  const measure = async (family: string, name: string, request: () => Promise<Answer | undefined>) => {
    if (family !== latest) tell({ is: 'begins', family });
    latest = family;
    const [start, before] = [now(), await cpuTime(pid)];
    const answer = await request();
    if (!answer) return;
    const { status, text } = answer;
    const error = graphqlErrorIn(answer);
    const cpu = ((await cpuTime(pid)) ?? Number.NaN) - (before ?? Number.NaN);
    const sent = {
      family,
      name,
      start,
      end: now(),
      status,
      error,
      cpu,
      text: isFault({ status, error }) ? text.slice(0, 2_000) : '',
    };
    tell({ is: 'sent', sent });
  };

  const askAs =
    (authorization: string): Ask =>
    (method, address, body = Buffer.alloc(0), type = 'application/json') =>
      send(
        {
          method,
          url: url + address,
          headers: { authorization, 'content-type': type },
          parts: [Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))],
        },
        timeout,
      );
  const scene = {
    ask: askAs(credentials.member),
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
  for (const one of chosen) bodyOf(one, size, () => place.folder); // The large parts of bodies are created here and cached.
  const sendListings = await layListings(scene, askAs(credentials.administrator), listing, isChosen);
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

  await sendListings(measure);
  tell({ is: 'done', unsent: unsent.length });
}
