import { beforeAll, describe, expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { reviewing } from './workflow-requests.ts';

const server = useServer(
  {},
  {
    schemas: [{ name: 'var_Errand', fields: { helpers: 'string[]' } }],
    workflows: [
      {
        name: 'Errand',
        title: 'Errand',
        variables: 'var_Errand',
        nodes: [
          {
            id: 'run',
            task: {
              name: 'Run',
              directive: 'Run',
              actors: { variable: 'helpers' },
              shows: ['helpers'],
              buttons: [{ name: 'done', label: 'Done', validate: false }],
            },
            transitions: [{ to: 'back' }],
          },
          { id: 'back' },
        ],
      },
    ],
  },
);
const flow = reviewing(server);
beforeAll(async () => {
  for (const user of ['ina', 'ann', 'eve']) await createUser(server, user);
});

const post = (user: string, body: object) =>
  flow
    .agent(user)
    .post('/api/v1/workflow')
    .send({ 'entity-type': 'workflow', ...body });
const serial = { workflowModelName: 'SerialDocumentReview' };

describe('§4.7 a workflow without documents', () => {
  test.each([{}, { attachedDocumentIds: [] }, { attachedDocumentIds: null }, { attachedDocumentIds: '' }])(
    'is started by %j, and its first task is the starter’s',
    async (given) => {
      const { body } = await post('ina', { ...serial, ...given }).expect(201);
      expect(body).toMatchObject({ state: 'running', initiator: 'ina', attachedDocumentIds: [] });
      const { body: task } = await flow
        .agent('ina')
        .get(`/api/v1/task/${(await flow.only(body)).id}`)
        .expect(200);
      expect(task).toMatchObject({ actors: [{ id: 'user:ina' }], targetDocumentIds: [] });
    },
  );

  test.each(['SerialDocumentReview', 'ParallelDocumentReview'])('%s goes to its end', async (name) => {
    const { body: workflow } = await post('ina', { workflowModelName: name }).expect(201);
    const variables = { participants: ['user:ann'], validationOrReview: 'validation' };
    await flow.end('ina', await flow.only(workflow), 'start_review', { variables }).expect(200);
    const asked = await flow.only(workflow);
    expect(asked.actors).toEqual([{ id: 'user:ann' }]);
    await flow.end('eve', asked, 'reject').expect(403);
    await flow.end('ann', asked, name.startsWith('Serial') ? 'validate' : 'approve').expect(200);
    for (const task of await flow.open(workflow)) await flow.end('ina', task, 'validate').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    const logged = await server.database.prisma.logEntry.findMany({
      where: { eventId: 'afterWorkflowFinish', category: 'Routing', docUuid: null },
    });
    expect(logged.some(({ extended }) => JSON.stringify(extended).includes(workflow.id))).toBe(true);
  });

  test('gives its starter the tasks for which no actor is named', async () => {
    const { body: workflow } = await post('ina', { workflowModelName: 'Errand' }).expect(201);
    const task = await flow.only(workflow);
    expect(task.actors).toEqual([{ id: 'user:ina' }]);
    await flow.end('ina', task, 'done').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    await flow.start('ina', 'Errand', [file.uid]).expect(409);
  });

  test('is seen and canceled by its starter and by administrators alone', async () => {
    const { body: workflow } = await post('ina', serial).expect(201);
    const address = `/api/v1/workflow/${workflow.id}`;
    await flow.agent('eve').get(address).expect(403);
    await flow.agent('eve').delete(address).expect(403);
    const { body: others } = await flow.agent('eve').get('/api/v1/task').expect(200);
    expect(others.resultsCount).toBe(0);
    await server.request.get(address).expect(200);
    await flow.agent('ina').delete(address).expect(204);
    expect(await flow.state(workflow)).toBe('canceled');
    expect(await flow.open(workflow)).toEqual([]);
  });

  test('stays when documents of other workflows are deleted, which end with the last of theirs', async () => {
    const { body: none } = await post('ina', serial).expect(201);
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { body: about } = await flow.start('ina', serial.workflowModelName, [file.uid]).expect(201);
    await server.request.delete(`/api/v1/id/${file.uid}`).expect(204);
    await server.request.get(`/api/v1/workflow/${about.id}`).expect(404);
    expect(await flow.state(none)).toBe('running');
  });
});

describe('§4.7 attachedDocumentIds', () => {
  test('may be one id, or ids with commas between them', async () => {
    const made = async () => (await flow.fileFor({ ina: 'ReadWrite' })).uid;
    const [first, ...ids] = [await made(), await made(), await made()];
    const attached = async (attachedDocumentIds: string) =>
      (await post('ina', { ...serial, attachedDocumentIds }).expect(201)).body.attachedDocumentIds;
    expect(await attached(first)).toEqual([{ id: first }]);
    expect(await attached(ids.join(', '))).toEqual(ids.map((id) => ({ id })));
  });
});
