import type supertest from 'supertest';
import type { Example, Step } from '../../src/openapi/examples/example.ts';
import { madeFirst } from '../../src/openapi/examples/places.ts';
import { Walk } from '../../test/openapi/walk.ts';
import { type Attack, bodyOf } from './attacks.ts';
import type { Size } from './fillings.ts';
import { type Answer, type Sent, send } from './sender.ts';
import { description, type Target } from './targets.ts';

type Requests = ReturnType<typeof supertest.agent>;

export interface Users {
  readonly administrator: Requests;
  /** The user who sends the attacks. The user's only group is `members`. */
  readonly member: Requests;
}

/** The Basic authentication credentials of each user who sends attacks. */
export type Credentials = Readonly<Record<Target['as'], string>>;

export const passwords = {
  member: 'a-password-of-a-member',
  spare: 'Administrator',
  other: 'a-password-of-another',
};

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The paths in the examples, and the hostile user's folders that replace them. */
const places = [
  ['default-domain/workspaces', 'default-domain/workspaces/mallory'],
  ['default-domain/sections', 'default-domain/sections/mallory'],
] as const;

function moved<Value>(value: Value): Value {
  const move = (part: unknown): unknown => {
    if (typeof part === 'string')
      return places.reduce((moving, [from, to]) => moving.replaceAll(from, to), part);
    if (Array.isArray(part)) return part.map(move);
    if (typeof part !== 'object' || part === null || part instanceof Uint8Array || part instanceof RegExp)
      return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, move(each)]));
  };
  return move(value) as Value;
}

const unknownId = '00000000-0000-4000-8000-000000000000';

/** The timeout of a response, in seconds. */
const timeout = 120;

async function expectSuccess(sent: supertest.Test, what: string): Promise<Record<string, unknown>> {
  const { status, body } = await sent;
  if (status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Creates the users for this benchmark. This can be done only once per server. */
async function createUsers({ administrator }: Users): Promise<void> {
  for (const [id, password] of [
    ['mallory', passwords.member],
    ['spare', passwords.spare],
    ['bob', passwords.other],
  ] as const) {
    const properties = { username: id, password, email: `${id}@example.org`, groups: ['members'] };
    await expectSuccess(
      administrator.post('/api/v1/user').send({ 'entity-type': 'user', id, properties }),
      id,
    );
  }
}

/** Creates a folder in which a user has all permissions. @returns its id */
export async function createPlace(
  administrator: Requests,
  path: string,
  name: string,
  user: string,
): Promise<string> {
  const type = path.endsWith('sections') ? 'Section' : 'Workspace';
  const body = { 'entity-type': 'document', type, name, properties: { 'dc:title': name } };
  const { uid } = await expectSuccess(administrator.post(`/api/v1/path/${path}`).send(body), name);
  const call = { input: uid, params: { user, permission: 'Everything' } };
  await expectSuccess(administrator.post('/api/v1/automation/Document.AddPermission').send(call), user);
  return String(uid);
}

const boundary = 'a-boundary-that-no-file-has';

/** Creates the body of a call from the JSON and the files of the example, which become additional parts. */
function withFiles(json: readonly Buffer[], files: Example['files'] = {}) {
  const all = Object.entries(files);
  if (all.length === 0) return { type: 'application/json', body: json };
  const partHead = (name: string, more: string) =>
    Buffer.from(`\r\n--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`);
  const parts = all.flatMap(([name, held]) => [
    partHead('input', `; filename="${name}"\r\nContent-Type: application/octet-stream`),
    Buffer.from(held),
  ]);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: [
      partHead('params', '\r\nContent-Type: application/json'),
      ...json,
      ...parts,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ],
  };
}

/** Creates the hostile user's documents and everything else that the examples refer to. */
export class Place {
  private readonly users: Users;
  private readonly walk: Walk;
  private readonly asAdministrator: Walk;
  /**
   * The targets whose preparatory steps do not need to be repeated, because no attack on them has succeeded since the
   * steps were last run.
   */
  private readonly ready = new Set<Target>();

  constructor(users: Users) {
    this.users = users;
    this.walk = new Walk({ request: users.member }, description);
    this.asAdministrator = new Walk({ request: users.administrator }, description);
  }

  /** Creates everything that the examples refer to. */
  async lay(): Promise<void> {
    await createUsers(this.users);
    const { administrator } = this.users;
    await createPlace(administrator, 'default-domain/workspaces', 'mallory', 'mallory');
    await createPlace(administrator, 'default-domain/sections', 'mallory', 'mallory');
    this.walk.values.other = await createPlace(administrator, 'default-domain/workspaces', 'bob', 'bob');
    for (const step of madeFirst) await this.take(step);
  }

  /** The id of the hostile user's folder. */
  get folder(): string {
    return this.named('workspaces');
  }

  readonly path = `/${places[0][1]}`;

  /** The id of another user's folder. */
  get other(): string {
    return this.named('other');
  }

  /** Runs a preparatory step as the hostile user, or as an administrator if the user lacks the permission. */
  private async take(step: Step): Promise<void> {
    try {
      await this.walk.take(moved(step));
    } catch {
      Object.assign(this.asAdministrator.values, this.walk.values);
      await this.asAdministrator.take(moved(step));
      Object.assign(this.walk.values, this.asAdministrator.values);
    }
  }

  /** Returns a value that the preparatory steps of a target have returned, or an unknown id if the steps failed. */
  private named = (name: string): string => this.walk.values[name] ?? unknownId;

  private async prepare(target: Target): Promise<void> {
    if (this.ready.has(target)) return;
    this.ready.add(target);
    try {
      for (const step of target.example.before ?? []) await this.take(step);
    } catch {
      // If a step fails, the attack is sent anyway, with an unknown id.
    }
  }

  /**
   * Creates the request of an attack. Returns undefined if the test value cannot be made from the example.
   */
  async request(
    attack: Attack,
    size: Size,
    credentials: Credentials,
  ): Promise<(Omit<Sent, 'url'> & { address: string }) | undefined> {
    const { target, isElsewhere } = attack;
    await this.prepare(target);
    const named = isElsewhere ? () => this.named('other') : this.named;
    const parts = bodyOf({ ...attack, target: moved(target) }, size, named);
    if (!parts) return undefined;
    const { method, address, query, headers } = this.head(target, named);
    const search = new URLSearchParams(query as Record<string, string>).toString();
    const { type, body } = withFiles(parts, target.example.files);
    return {
      method: method.toUpperCase(),
      address: address + (search && `?${search}`),
      headers: {
        ...Object.fromEntries(headers),
        authorization: credentials[target.as],
        'content-type': type,
      },
      parts: body,
    };
  }

  private head(target: Target, named: (name: string) => string) {
    if (target.route === undefined) return { method: 'post', address: '/graphql', query: {}, headers: [] };
    const example: Example = moved(target.example);
    const parameters = Object.fromEntries(
      Object.entries(example.parameters ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.replaceAll(/\{(\w+)\}/g, (_, key: string) => named(key)) : value,
      ]),
    );
    return this.walk.head(target.route, { parameters });
  }

  /** Sends an attack. Returns undefined if the test value cannot be made from the example. */
  async send(url: string, attack: Attack, size: Size, credentials: Credentials): Promise<Answer | undefined> {
    const sent = await this.request(attack, size, credentials);
    if (!sent) return undefined;
    const { address, ...request } = sent;
    const answer = await send({ ...request, url: url + address }, timeout);
    // A successful attack may have changed what the steps have created, so they are repeated.
    if (answer.status < 300) this.ready.delete(attack.target);
    return answer;
  }
}
