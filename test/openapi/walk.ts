import type supertest from 'supertest';
import { type Example, filled, type Step, type ValuePlace } from '../../src/openapi/examples/example.ts';
import { type Description, follow, type Operation, operationsOf } from '../support/described.ts';
import { asBytes } from '../support/requests.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

type Parameter = Operation['parameters'][number];

/** Slashes of paths, and the `;` and `=` of a matrix, stay as they are. */
const inAddress = (value: string): string =>
  encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3B', ';').replaceAll('%3D', '=');

/** Sends the JSON, the files, or the JSON with the files. */
function sendBody(sent: supertest.Test, types: readonly string[], { body, files }: Example): supertest.Test {
  const all = Object.entries(files ?? {});
  if (all.length === 0) return sent.send(body as object | undefined);
  if (types.includes('application/octet-stream'))
    return sent.set('Content-Type', 'application/octet-stream').send(all[0]?.[1]);
  const form = body === undefined ? sent : sent.field('params', JSON.stringify(body));
  const field = body === undefined ? 'file' : 'input';
  return all.reduce((parts, [filename, held]) => parts.attach(field, Buffer.from(held), { filename }), form);
}

export type Sent = Awaited<supertest.Test>;

const json = (bytes: Buffer, type: string): unknown =>
  /\bjson\b/.test(type) && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes;

const pick = ({ body, headers }: Sent, place: ValuePlace): unknown => {
  if (place instanceof RegExp) return place.exec(String(headers.location))?.[1];
  if (place === '') return String(body);
  return place.split('.').reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
};

/** An execution, a conversion or a bulk action. */
const isUnderWay = ({ body }: Sent): boolean =>
  String(body) === 'RUNNING' ||
  /^(scheduled|running)$/.test(body?.status) ||
  /SCHEDULED|RUNNING/.test(body?.state);

/** Sends examples one after the other, with what earlier ones gave. */
export class Walk {
  /** By the names that examples give them. */
  readonly values: Record<string, string> = {};
  private readonly server: Pick<TestServer, 'request'>;
  private readonly description: Description;
  private readonly described: ReadonlyMap<string, { path: string; method: string; operation: Operation }>;

  constructor(server: Pick<TestServer, 'request'>, description: Description) {
    this.server = server;
    this.description = description;
    this.described = new Map(operationsOf(description).map((each) => [each.operation.operationId, each]));
  }

  operationOf(route: string) {
    const found = this.described.get(route);
    if (!found) throw new Error(`openapi.json has no ${route}`);
    return found;
  }

  private valueOf = (name: string): string => {
    const found = this.values[name];
    if (found === undefined) throw new Error(`no example gave {${name}}`);
    return found;
  };

  /** An example with the values of this server. */
  filled = (example: Example): Example => filled(example, this.valueOf);

  /** The method, the address and the headers of a request whose values are filled in. */
  head(route: string, { parameters = {} }: Example) {
    const { path, method, operation } = this.operationOf(route);
    const resolved = operation.parameters.map(
      ({ $ref, ...own }) => ($ref ? follow(this.description, $ref) : own) as Parameter,
    );
    const placeOf = (name: string) => resolved.find((each) => each.name === name)?.in ?? 'query';
    const at = (place: string) => Object.entries(parameters).filter(([name]) => placeOf(name) === place);
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inAddress(String(parameters[name])));
    return {
      method: method as 'get' | 'post' | 'put' | 'delete',
      address: `/api/v1${address}`,
      query: Object.fromEntries(at('query')),
      headers: at('header').map(([name, value]) => [name, String(value)] as const),
    };
  }

  private send(route: string, example: Example): supertest.Test {
    const { method, address, query, headers } = this.head(route, example);
    const sent = this.server.request[method](address).redirects(0);
    sent.query(query);
    for (const [name, value] of headers) sent.set(name, value);
    const { requestBody } = this.operationOf(route).operation;
    sendBody(sent, Object.keys(requestBody?.content ?? {}), example);
    return sent;
  }

  private async ask(step: Step): Promise<Sent> {
    const answer = await asBytes(this.send(step.route, this.filled(step)));
    const body = json(answer.body as Buffer, answer.type);
    if (answer.status >= 400) throw new Error(`${step.route}: ${answer.status} ${JSON.stringify(body)}`);
    return Object.assign(answer, { body });
  }

  /** A successful answer, once what it waits for is done. @throws Error on another one */
  async take(step: Step): Promise<Sent> {
    const { method } = this.operationOf(step.route);
    let taken = await this.ask(step);
    await until(async () => {
      const isDone = method !== 'get' || !isUnderWay(taken);
      if (!isDone) taken = await this.ask(step);
      return isDone;
    });
    for (const [name, place] of Object.entries(step.gives ?? {})) {
      const value = pick(taken, place);
      if (value === undefined) throw new Error(`${step.route}: its answer has no ${place}`);
      this.values[name] = String(value);
    }
    return taken;
  }
}
