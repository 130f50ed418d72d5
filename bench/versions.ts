import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';

/** Compares creating a version and publishing with a plain change. The calls run one after the other. */

const rounds = 200;
const history = 2_000;
const workspaces = '/path/default-domain/workspaces';

type Call = (method: string, path: string, body: object, headers?: Record<string, string>) => Promise<Entity>;

interface Entity {
  readonly uid: string;
}

const callOn =
  (url: string): Call =>
  async (method, path, body, headers = {}) => {
    const json = { authorization, 'content-type': 'application/json', ...headers };
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: json,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Entity;
  };

const minor = { 'X-Versioning-Option': 'MINOR' };
let titles = 0;

/** Creates the request body for a change. Each call uses a different title. */
function change(): object {
  titles += 1;
  return { 'entity-type': 'document', properties: { 'dc:title': `Title ${titles}` } };
}

const newFile = (call: Call, parent: string, type = 'File'): Promise<Entity> =>
  call('POST', parent, { 'entity-type': 'document', type, name: `${type}-${titles}`, properties: {} });

/**
 * Returns the median times of the calls in milliseconds. The calls alternate, so that other load on the machine
 * affects all of them equally.
 */
async function medians(works: ReadonlyArray<() => Promise<unknown>>): Promise<number[]> {
  const took = works.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      took[index]?.push(performance.now() - start);
    }
  }
  return took.map((times) => times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const call = callOn((await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder })).url);
  const { uid } = await newFile(call, workspaces);
  const section = await newFile(call, '/path/default-domain/sections', 'Section');
  const put = (headers?: Record<string, string>) => call('PUT', `/id/${uid}`, change(), headers);
  const publish = { input: uid, params: { target: section.uid } };
  const kinds = {
    'a change': () => put(),
    'a change that creates a minor version': () => put(minor),
    'a change, followed by a publication and its check-in': async () => {
      await put();
      await call('POST', '/automation/Document.PublishToSection', publish);
    },
  };
  const measure = async (when: string): Promise<void> => {
    const found = await medians(Object.values(kinds));
    for (const [index, kind] of Object.keys(kinds).entries()) {
      const [plain = Number.NaN, milliseconds = Number.NaN] = [found[0], found[index]];
      console.log(
        `${when}: ${kind}: ${milliseconds.toFixed(1)} ms, ${(milliseconds / plain).toFixed(2)} times a change`,
      );
    }
  };
  await medians(Object.values(kinds)); // This call warms up the server.
  await measure('few versions');
  for (let index = 0; index < history; index += 1) await put(minor);
  await measure(`with ${history} more versions`);
}

await toTheEnd(main);
