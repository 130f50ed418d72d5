/** @group slow, long */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { type Attack, attacks } from '../../bench/hostile/attacks.ts';
import { fillings, type Size } from '../../bench/hostile/fillings.ts';
import { basic, type Credentials, Place, passwords } from '../../bench/hostile/place.ts';
import { type Ask, reproductions } from '../../bench/hostile/reproductions.ts';
import { type Answer, closeConnections, graphqlErrorIn, send } from '../../bench/hostile/sender.ts';
import { operations } from '../../src/automation/index.ts';
import { withOperationRoutes } from '../../src/rest/automation/call-routes.ts';
import { routes as table } from '../../src/rest/routes.ts';
import { administrator } from '../support/administrator.ts';
import { requestsAs, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const routes = withOperationRoutes(table);

/** A fortieth of the default limits, so that 150 requests take seconds. */
const scale = 1 / 40;
const size: Size = { bytes: 256 * 1_024 - 1, values: 2_500 };
const settings = { BODY_LIMIT: '256kb', JSON_VALUES_LIMIT: String(size.values), LOGIN_FAILURES: '1000000' };

/** How many of the generated requests are sent here; bench/hostile.ts sends all of them, forty times as large. */
const sampled = 150;

/** The longest message of an error, with the JSON around it. */
const longestError = 50_000;

/** What no hostile request exceeds, whatever it names. */
const mostStatements = 150;

/** What all of them together leave behind, in bytes. */
const mostLeft = 150_000_000;

const types = (server: Pick<TestServer, 'model'>) =>
  ['File', 'Note'].flatMap((name) => server.model.types.get(name) ?? []);

/** A sample that is always the same, evenly taken from all families. */
const sampleOf = (all: readonly Attack[]): Attack[] =>
  all.filter(
    (_, index) =>
      Math.floor((index * sampled) / all.length) !== Math.floor(((index - 1) * sampled) / all.length),
  );

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const heap = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

const server = use(() => startServer(settings));

describe('the server, asked by a hostile user,', () => {
  const credentials: Credentials = {
    administrator: basic(administrator.username, administrator.password),
    member: basic('mallory', passwords.member),
    spare: basic('spare', passwords.spare),
  };
  let [url, before] = ['', 0];
  let place: Place;
  beforeAll(async () => {
    url = `http://127.0.0.1:${await server.listen()}`;
    const member = requestsAs(() => server.http, 'mallory', passwords.member);
    place = new Place({ administrator: server.request, member });
    await place.lay();
    before = heap();
  });

  afterAll(closeConnections);

  /** Every rule that an answer breaks. */
  const faultsOf = ({ status, headers, length, text }: Answer): string[] => {
    const faults = server.logged
      .splice(0)
      .filter(({ level, category }) => Number(level) >= 50 && category === undefined)
      .map((line) => JSON.stringify(line).slice(0, 2_000));
    if (status === 0 || (status >= 500 && ![501, 503].includes(status))) faults.push(`status ${status}`);
    const [, count] = /sql;dur=[\d.]+;desc="(\d+)"/.exec(String(headers['server-timing'])) ?? [];
    if (Number(count) > mostStatements) faults.push(`${count} statements`);
    const error = graphqlErrorIn({ status, text });
    if ((status >= 400 || error) && length > longestError) faults.push(`an error of ${length} bytes`);
    if (error?.code === 'INTERNAL_SERVER_ERROR') faults.push('a masked error');
    if (status >= 400 && !/"(message|error)":"[^"]/.test(text)) faults.push('an error without a message');
    return faults.length > 0 ? [...faults, text.slice(0, 1_000)] : [];
  };

  test(`answers ${sampled} of the generated requests by the rules`, async () => {
    const faults: string[] = [];
    const statuses = new Map<number, number>();
    for (const attack of sampleOf(attacks({ types: types(server) }))) {
      const answer = await place.send(url, attack, size, credentials);
      if (!answer) continue;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const found = faultsOf(answer);
      if (found.length > 0) faults.push(`${attack.name}: ${found.join('\n')}`);
    }
    expect(faults).toEqual([]);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 403]));
  });

  test.each(reproductions)('answers $name by the rules', async ({ prepare }) => {
    const ask: Ask = (method, address, body = Buffer.alloc(0), type = 'application/json') =>
      send(
        {
          method,
          url: url + address,
          headers: { authorization: credentials.member, 'content-type': type },
          parts: [Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))],
        },
        60,
      );
    const scene = {
      ask,
      folder: `/api/v1/id/${place.folder}`,
      path: place.path,
      other: place.other,
      scale,
    };
    expect(faultsOf(await prepare(scene)())).toEqual([]);
  });

  test('finds a new document afterwards, and holds little more memory', async () => {
    const body = { 'entity-type': 'document', type: 'Note', name: 'n', properties: { 'dc:title': 'wombat' } };
    await server.request.post('/api/v1/path/default-domain/workspaces').send(body).expect(201);
    const query = "SELECT * FROM Document WHERE dc:title = 'wombat'";
    await until(async () => {
      const { body: found } = await server.request.get('/api/v1/search/execute').query({ query });
      return found.resultsCount > 0;
    });
    expect(heap() - before).toBeLessThan(mostLeft);
  });
});

describe('the generator of hostile requests', () => {
  const filled = () =>
    new Set(attacks({ types: types(server) }).map(({ target, path }) => `${target.name} ${path.join('.')}`));

  test('fills every parameter of every operation that is a text, a list or an object', () => {
    const all = filled();
    const missing = operations.flatMap(({ id, params }) =>
      Object.entries(params)
        .filter(([, { kind, values }]) => kind.graphql !== 'Boolean' && values.length === 0)
        .map(([name]) => `${id} params.${name}`)
        .filter((name) => !all.has(name)),
    );
    expect(missing).toEqual([]);
  });

  test('fills every argument of every mutation that is a text, a list or an object', () => {
    const all = filled();
    const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
    const isFilled = (type: GraphQLInputType): boolean => {
      if (isNonNullType(type)) return isFilled(type.ofType);
      return isListType(type) || isInputObjectType(type) || type.name !== 'Boolean';
    };
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
    const missing = mutations.flatMap(({ name, args }) =>
      args
        .filter(({ type }) => isFilled(type))
        .map((argument) => `${name} variables.${argument.name}`)
        .filter((argument) => !all.has(argument)),
    );
    expect(mutations.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  test('fills the body of every route that reads JSON', () => {
    const routed = new Set(attacks({ types: types(server) }).map(({ target }) => target.route));
    const missing = routes
      .filter(
        ({ body, bodyForm }) =>
          body && ['json', 'jsonWithFile', 'call', 'callWithFiles', 'fields'].includes(bodyForm),
      )
      .map(({ name }) => name)
      .filter((name) => !routed.has(name) && !/ByPath(Later)?$/.test(name));
    expect(missing).toEqual([]);
  });

  test('uses every filling', () => {
    const used = new Set(attacks({ types: types(server) }).map(({ filling }) => filling));
    expect(
      Object.values(fillings)
        .flat()
        .filter((filling) => !used.has(filling)),
    ).toEqual([]);
  });
});
