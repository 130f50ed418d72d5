import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start as startServer, type TestServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { reviewing } from './reviewing.ts';

const page = new URL('../../../docs/workflows.md', import.meta.url);

let dir: string;
let server: TestServer;
let flow: ReturnType<typeof reviewing>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quire-workflow-models-'));
  const [, example = ''] = /```json\n(.*?)```/s.exec(await readFile(page, 'utf8')) ?? [];
  await writeFile(join(dir, 'signature.json'), example);
  server = await startServer({ MODEL_DIR: dir });
  flow = reviewing(server);
  for (const user of ['ina', 'ann', 'bob']) await createUser(server, user);
});
afterAll(async () => {
  await server.stop();
  await rm(dir, { recursive: true, force: true });
});

describe('§4.7 the contributed model that the documentation shows', () => {
  test('can be started on what it runs on, and has its document', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { contextParameters } = await flow.document(file.uid, 'runnableWorkflows');
    const names = contextParameters.runnableWorkflows.map(({ name }: { name: string }) => name);
    expect(names).toContain('Signature');
    const note = await flow.fileFor({ ina: 'ReadWrite' }, 'Note');
    const { body } = await flow.start('ina', 'Signature', [note.uid]).expect(400);
    expect(body.message).toContain('it is a Note');
  });

  test('goes its way: what is refused is asked again, what is signed is a major version', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { body: workflow } = await flow.start('ina', 'Signature', [file.uid]).expect(201);
    const variables = { signer: ['ann', 'bob'], signedFor: 'the board' };
    await flow.end('ina', await flow.only(workflow), 'send', { variables }).expect(200);
    for (const { id, actors } of await flow.open(workflow))
      await flow.end(actors[0]?.id.slice('user:'.length) ?? '', { id }, 'refuse').expect(200);
    await flow.end('ina', await flow.only(workflow), 'send', { variables: { signer: ['bob'] } }).expect(200);
    const task = await flow.only(workflow);
    expect(task).toMatchObject({ nodeName: 'sign', variables: { signedFor: 'the board' } });
    await flow.end('bob', task, 'sign').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    expect((await flow.document(file.uid)).properties).toMatchObject({ 'uid:major_version': 1 });
  });
});

test('§4.7 a workflow whose model is taken away answers 409, and can be canceled', async () => {
  const { database } = server;
  const file = await flow.fileFor({ ina: 'ReadWrite' });
  const { body: workflow } = await flow.start('ina', 'Signature', [file.uid]).expect(201);
  await database.prisma.workflow.updateMany({ where: { id: workflow.id }, data: { model: 'Gone' } });
  const task = await flow.only(workflow);
  expect(task).toMatchObject({ name: 'ask', variables: {} });
  await flow.end('ina', task, 'send').expect(409);
  await flow.agent('ina').get(`/api/v1/workflow/${workflow.id}/graph`).expect(200);
  await flow.agent('ina').delete(`/api/v1/workflow/${workflow.id}`).expect(204);
});
