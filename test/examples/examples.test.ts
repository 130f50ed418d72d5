/** @group slow */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { startJobs } from '../../src/jobs/index.ts';
import { createDocument } from '../support/documents.ts';
import { withSettings } from '../support/jobs.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

jest.setTimeout(120_000);

const root = fileURLToPath(new URL('../../', import.meta.url));
const examples = join(root, 'examples');
const require = createRequire(import.meta.url);

const server = useServer({ MODEL_DIR: join(examples, 'model'), WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1' });
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  const port = await server.listen();
  environment = { PATH: process.env.PATH, QUIRE_URL: `http://127.0.0.1:${port}` };
});

/** Runs an example as its comment says. */
const runAs = async (login: NodeJS.ProcessEnv, file: string, ...args: string[]): Promise<string> => {
  const given = [require.resolve('tsx/cli'), join(examples, file), ...args];
  const env = { ...environment, ...login };
  return (await promisify(execFile)(process.execPath, given, { env, cwd: root })).stdout;
};
const run = (file: string, ...args: string[]) => runAs({}, file, ...args);

test('typescript: the types are made of openapi.json, hold the example, and it runs', async () => {
  await run('typescript/generate-types.ts');
  const tsc = join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['-p', join(examples, 'typescript')], { cwd: root });
  const below = '/default-domain/workspaces/typescript-example';
  expect((await run('typescript/notes.ts')).split('\n')).toEqual([
    `${below}/first: First`,
    `${below}/second: Second, changed`,
    '',
  ]);
});

test('graphql: names the entry that decides', async () => {
  const { path } = await createDocument(server, { name: 'decided' });
  const out = await run('graphql/who-may.ts', '/default-domain/workspaces', 'Administrator');
  expect(out).toContain(`${path}: Administrator may write, by `);
  await createUser(server, 'ann');
  const refused = runAs({ QUIRE_USER: 'ann', QUIRE_PASSWORD: password }, 'graphql/who-may.ts');
  await expect(refused).rejects.toThrow('Only administrators can do this; ann is not one.');
});

test('webhook-receiver: prints the events that are signed, and refuses others', async () => {
  const receiver = spawn(
    process.execPath,
    ['--import', 'tsx', join(examples, 'webhook-receiver/receiver.ts')],
    { env: { ...environment, SECRET: 'a secret of the example', PORT: '0' }, cwd: root },
  );
  const ended = once(receiver, 'close');
  let out = '';
  receiver.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const stopJobs = await startJobs(withSettings(server, { WEBHOOK_PRIVATE_ADDRESSES: ['127.0.0.0/8'] }), {
    interval: 50,
    onDone: () => {},
    onError: () => {},
  });
  try {
    await until(() => /on port \d+/.test(out));
    const url = `http://127.0.0.1:${/on port (\d+)/.exec(out)?.[1]}/`;
    const webhook = {
      'entity-type': 'webhook',
      url,
      secret: 'a secret of the example',
      events: ['documentCreated'],
    };
    await server.request.post('/api/v1/management/webhooks').send(webhook).expect(201);
    const { path } = await createDocument(server, { name: 'announced' });
    await until(() => out.includes(`documentCreated by Administrator: ${path}\n`));
    const headers = { 'webhook-id': 'x', 'webhook-timestamp': `${Math.round(Date.now() / 1000)}` };
    const forged = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'webhook-signature': 'v1,AAAA' },
      body: '{}',
    });
    expect(forged.status).toBe(401);
  } finally {
    receiver.kill();
    await Promise.all([stopJobs(), ended]);
  }
});

test('model: invoices are created, and their constraints hold', async () => {
  const properties = { 'inv:number': 'AB-12', 'inv:amount': 99.5 };
  const invoice = await createDocument(server, { type: 'Invoice', properties });
  expect(invoice.properties).toMatchObject({ ...properties, 'inv:status': 'open' });
  await expect(
    createDocument(server, { type: 'Invoice', properties: { 'inv:number': '12' } }),
  ).rejects.toThrow(/PatternConstraint/);
});
