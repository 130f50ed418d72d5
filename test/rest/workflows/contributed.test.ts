import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../support/server.ts';
import { createUser, useUsers } from '../../support/users.ts';
import { reviewing } from './workflow-requests.ts';

const page = new URL('../../../docs/workflows.md', import.meta.url);
const [, example = ''] = /## A model.*?```json\n(.*?)```/s.exec(await readFile(page, 'utf8')) ?? [];

const model = JSON.parse(example);
const [signature] = model.workflows;
const again = { ...signature, name: 'SignatureAgain', runsOn: { ...signature.runsOn, repeatedly: true } };
const server = useServer({}, { ...model, workflows: [...model.workflows, again] });
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

  test.each([
    ['Signature', 409, false],
    ['SignatureAgain', 201, true],
  ])(
    'while %s runs, starting it again is %i, as runsOn.repeatedly says, and it is offered accordingly: %s',
    async (name, status, isOffered) => {
      const file = await flow.fileFor({ ina: 'ReadWrite' });
      await flow.start('ina', name, [file.uid]).expect(201);
      const { contextParameters } = await flow.document(file.uid, 'runnableWorkflows');
      const names = contextParameters.runnableWorkflows.map((each: { name: string }) => each.name);
      expect(names.includes(name)).toBe(isOffered);
      await flow.start('ina', name, [file.uid]).expect(status);
    },
  );

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

const subject = { type: 'string', refersTo: { to: 'directory', directory: 'l10nsubjects', separator: '/' } };
const subjects = ['first', 'second', 'third'];
const [schema] = JSON.parse(example).schemas;
const withSubjects = useServer(
  {},
  {
    ...JSON.parse(example),
    schemas: [
      {
        ...schema,
        fields: { ...schema.fields, ...Object.fromEntries(subjects.map((name) => [name, subject])) },
      },
    ],
    workflows: JSON.parse(example).workflows.map(
      ({
        nodes: [ask, ...others],
        ...model
      }: {
        nodes: [{ task: Record<'shows' | 'takes', string[]> }, ...unknown[]];
      }) => ({
        ...model,
        nodes: [
          {
            ...ask,
            task: {
              ...ask.task,
              shows: [...ask.task.shows, ...subjects],
              takes: [...ask.task.takes, ...subjects],
            },
          },
          ...others,
        ],
      }),
    ),
  },
);

test('§4.7 variables with entities of hierarchical vocabularies cost no statement for each variable', async () => {
  const flowOfSubjects = reviewing(withSubjects);
  await createUser(withSubjects, 'ina');
  const ids = ['cinema', 'music', 'astronomy'];
  const send = async (names: readonly string[]) => {
    const file = await flowOfSubjects.fileFor({ ina: 'ReadWrite' });
    const { body: workflow } = await flowOfSubjects.start('ina', 'Signature', [file.uid]).expect(201);
    const entities = names.map((name, index) => [
      name,
      { 'entity-type': 'directoryEntry', directoryName: 'l10nsubjects', id: ids[index] },
    ]);
    const variables = { signer: ['ina'], ...Object.fromEntries(entities) };
    const answer = await flowOfSubjects
      .end('ina', await flowOfSubjects.only(workflow), 'send', { variables })
      .expect(200);
    return { count: statements(answer), workflow };
  };
  await send(subjects); // what is remembered later
  const one = await send(subjects.slice(0, 1));
  const all = await send(subjects);
  expect(all.count).toBe(one.count);
  const [row] = await withSubjects.database.prisma.workflow.findMany({ where: { id: all.workflow.id } });
  expect(row?.variables).toMatchObject({
    first: 'art/cinema',
    second: 'art/music',
    third: 'sciences/astronomy',
  });
});
