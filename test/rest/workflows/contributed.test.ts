import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';
import { useUsers } from '../../support/users.ts';
import { reviewing } from './workflow-requests.ts';

const page = new URL('../../../docs/workflows.md', import.meta.url);
const [, example = ''] = /```json\n(.*?)```/s.exec(await readFile(page, 'utf8')) ?? [];

const server = useServer({}, JSON.parse(example));
const flow = reviewing(server);
useUsers(server, 'ina', 'ann', 'bob');

describe('§4.7 the contributed workflow model of the documentation', () => {
  test('can be started on the document types that it lists', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { contextParameters } = await flow.document(file.uid, 'runnableWorkflows');
    const names = contextParameters.runnableWorkflows.map(({ name }: { name: string }) => name);
    expect(names).toContain('Signature');
    const note = await flow.fileFor({ ina: 'ReadWrite' }, 'Note');
    const { body } = await flow.start('ina', 'Signature', [note.uid]).expect(400);
    expect(body.message).toContain('it is a Note');
  });

  test('asks again after a refusal, and creates a major version after a signature', async () => {
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

test('§4.7 a workflow whose model was removed answers 409 and can be canceled', async () => {
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
