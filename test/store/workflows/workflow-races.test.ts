import { beforeAll, describe, expect, test } from '@jest/globals';
import { reviewing } from '../../rest/workflows/workflow-requests.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { untilWaiting } from '../../support/until-waiting.ts';
import { createUser } from '../../support/users.ts';
import { withoutDeadlocks } from '../row-locks/without-deadlocks.ts';

const server = useServer({ DATABASE_CONNECTIONS: '25' });
let flow: ReturnType<typeof reviewing>;
beforeAll(async () => {
  flow = reviewing(server);
  for (const user of ['ina', 'ann', 'bob']) await createUser(server, user);
});
withoutDeadlocks(server);

const statuses = (answers: ReadonlyArray<{ status: number }>): number[] =>
  answers.map(({ status }) => status).sort();

/** The number of workflows of a document and of their tasks, in any state. */
const left = async ({ uid: documentId }: DocumentEntity) => {
  const { workflowDocument, workflow, task } = server.database.prisma;
  const ids = (await workflowDocument.findMany({ where: { documentId } })).map(
    ({ workflowId }) => workflowId,
  );
  return {
    workflows: await workflow.count({ where: { id: { in: ids } } }),
    tasks: await task.count({ where: { workflowId: { in: ids } } }),
  };
};

describe('§4.7 concurrent requests for one workflow', () => {
  test('end a task once, and the others get 409', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const workflow = await flow.begun('ina', 'SerialDocumentReview', file, { participants: ['ann', 'bob'] });
    const task = await flow.only(workflow);
    await flow.agent('ann').put(`/api/v1/task/${task.id}/delegate?delegatedActors=bob`).expect(200);
    const answers = await Promise.all(
      ['ann', 'bob', 'ann', 'bob'].map((user, index) =>
        flow.end(user, task, 'validate', { comment: String(index) }),
      ),
    );
    expect(statuses(answers)).toEqual([200, 409, 409, 409]);
    const { body } = await server.request.get(`/api/v1/task/${task.id}`).expect(200);
    expect(body.comments).toHaveLength(1);
    expect(await flow.only(workflow)).toMatchObject({ actors: [{ id: 'user:bob' }] });
  });

  test('of all participants are all recorded, and the last one opens the next task', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const participants = Array.from({ length: 8 }, (_, index) => `racer-${index}`);
    for (const user of participants) await createUser(server, user);
    const variables = { participants, validationOrReview: 'simpleReview' };
    const workflow = await flow.begun('ina', 'ParallelDocumentReview', file, variables);
    const tasks = await flow.open(workflow);
    const answers = await Promise.all(
      tasks.map((task) => flow.end(task.actors[0]?.id.replace('user:', '') ?? '', task, 'approve')),
    );
    expect(statuses(answers)).toEqual(tasks.map(() => 200));
    const last = await flow.only(workflow);
    expect(last.nodeName).toBe('Task2169');
    const results = last.variables.review_result as Array<{ participant: string }>;
    expect(results.map(({ participant }) => participant).sort()).toEqual(participants);
  });

  test('that end, delegate, cancel and delete are serialized, and leave nothing of the workflow', async () => {
    for (let round = 0; round < 5; round += 1) {
      const folder = await createDocument(server, { type: 'Folder' });
      const files = [
        await createDocument(server, { parent: folder.path }),
        await createDocument(server, { parent: folder.path }),
      ];
      const { body: workflow } = await flow
        .start(
          'Administrator',
          'SerialDocumentReview',
          files.map(({ uid }) => uid),
          { participants: ['ann'] },
        )
        .expect(201);
      await flow.end('Administrator', await flow.only(workflow), 'start_review').expect(200);
      const task = await flow.only(workflow);
      const answers = await Promise.all([
        flow.end('ann', task, 'validate'),
        flow.agent('ann').put(`/api/v1/task/${task.id}/delegate?delegatedActors=bob`),
        server.request.delete(`/api/v1/workflow/${workflow.id}`),
        ...files.map(({ uid }) => server.request.delete(`/api/v1/id/${uid}`)),
        server.request.delete(`/api/v1/id/${folder.uid}`),
      ]);
      for (const { status, body } of answers)
        expect([200, 204, 403, 404, 409, JSON.stringify(body)]).toContain(status);
      for (const file of files) expect(await left(file)).toEqual({ workflows: 0, tasks: 0 });
      await server.request.get(`/api/v1/workflow/${workflow.id}`).expect(404);
    }
  });
});

describe('§4.1 deleting documents with workflows', () => {
  test('continues with the others when one is deleted while a task waits for it', async () => {
    const files = [await createDocument(server), await createDocument(server)];
    const ids = files.map(({ uid }) => uid);
    const { body: workflow } = await flow
      .start('Administrator', 'SerialDocumentReview', ids, { participants: ['ann'] })
      .expect(201);
    const task = await flow.only(workflow);
    const { ended } = await server.database.transaction(30, async ({ prisma }) => {
      await prisma.document.deleteMany({ where: { id: String(ids[1]) } });
      const sent = Promise.all([flow.end('Administrator', task, 'start_review')]);
      await untilWaiting(server.database, 1);
      return { ended: sent };
    });
    const [answer] = await ended;
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    expect(answer.body.targetDocumentIds).toEqual([{ id: ids[0] }]);
    expect(await flow.only(workflow)).toMatchObject({ actors: [{ id: 'user:ann' }] });
  });

  test('deletes a workflow and its tasks with the last of its documents', async () => {
    const files = [await flow.fileFor({ ina: 'ReadWrite' }), await flow.fileFor({ ina: 'ReadWrite' })];
    const ids = files.map(({ uid }) => uid);
    const { body: workflow } = await flow.start('ina', 'SerialDocumentReview', ids).expect(201);
    const task = await flow.only(workflow);
    await server.request.delete(`/api/v1/id/${ids[0]}`).expect(204);
    const { body } = await server.request.get(`/api/v1/task/${task.id}`).expect(200);
    expect(body.targetDocumentIds).toEqual([{ id: ids[1] }]);
    await flow.end('ina', task, 'start_review', { variables: { participants: ['ann'] } }).expect(200);
    await server.request.delete(`/api/v1/id/${ids[1]}`).expect(204);
    await server.request.get(`/api/v1/task/${task.id}`).expect(404);
    await server.request.get(`/api/v1/workflow/${workflow.id}`).expect(404);
    expect(await server.database.prisma.workflow.count({ where: { id: workflow.id } })).toBe(0);
  });
});

describe('§2.6 the audit of a workflow', () => {
  test('has an entry for each event, in the category Routing', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const workflow = await flow.begun('ina', 'SerialDocumentReview', file, { participants: ['ann'] });
    const { id } = await flow.only(workflow);
    await flow.agent('ann').put(`/api/v1/task/${id}/reassign?actors=bob&comment=no`).expect(200);
    await flow.end('bob', { id }, 'validate', { comment: 'yes' }).expect(200);
    const { body } = await server.request
      .get(`/api/v1/id/${file.uid}/@audit?category=Routing&sortBy=id&sortOrder=asc`)
      .expect(200);
    const told = body.entries.map(
      ({ eventId, principalName, comment }: Record<'eventId' | 'principalName' | 'comment', string>) => [
        eventId,
        principalName,
        comment,
      ],
    );
    expect(told).toEqual([
      ['afterWorkflowStarted', 'ina', null],
      ['afterWorkflowTaskCreated', 'ina', 'wf.serialDocumentReview.chooseParticipants'],
      ['afterWorkflowTaskEnded', 'ina', null],
      ['afterWorkflowTaskCreated', 'ina', 'wf.serialDocumentReview.AcceptReject'],
      ['afterWorkflowTaskReassigned', 'ann', 'no'],
      ['afterWorkflowTaskEnded', 'bob', 'yes'],
      ['afterWorkflowFinish', 'bob', null],
    ]);
    expect(body.entries[5].extended).toMatchObject({
      workflowId: workflow.id,
      modelName: 'SerialDocumentReview',
      workflowInitiator: 'ina',
      taskId: id,
      action: 'validate',
    });
  });
});
