import { beforeAll, expect, test } from '@jest/globals';
import { taskPicture, workflowModels, workflowPicture } from '../../../web/src/graphql/operations.ts';
import { reviewing } from '../../rest/workflows/workflow-requests.ts';
import { askGraphql } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

const server = useServer();
const flow = reviewing(server);
beforeAll(async () => {
  for (const name of ['ina', 'ann', 'bob', 'rea']) await createUser(server, name);
});

interface Graph {
  readonly nodes: ReadonlyArray<{
    readonly id: string;
    readonly state: string;
    readonly isPassed: boolean;
    readonly actors: ReadonlyArray<{ readonly id: string }>;
  }>;
  readonly transitions: ReadonlyArray<{
    readonly nodeSourceId: string;
    readonly nodeTargetId: string;
    readonly buttonLabel: string | null;
  }>;
}

// Users other than administrators can send only the operations of the console.
const graphFor = async (user: string, id: string): Promise<Graph> =>
  (await askGraphql<{ workflow: { graph: Graph } }>(flow.agent(user), workflowPicture.text, { id })).workflow
    .graph;

const passed = ({ nodes }: Graph) => nodes.filter(({ isPassed }) => isPassed).map(({ id }) => id);

const actors = ({ nodes }: Graph) =>
  Object.fromEntries(
    nodes.flatMap(({ id, actors: all }) => (all.length > 0 ? [[id, all.map((each) => each.id)]] : [])),
  );

const settings = { participants: ['user:ann', 'user:bob'], validationOrReview: 'validation' };

test('A graph shows the nodes that a workflow has passed, the one at which it is, and where it has ended', async () => {
  const file = await flow.fileFor({ ina: 'ReadWrite' });
  const workflow = await flow.begun('ina', 'SerialDocumentReview', file, settings);
  const first = await graphFor('ina', workflow.id);
  expect(passed(first)).toEqual(['Task38e']);
  expect(first.nodes.filter(({ state }) => state === 'suspended').map(({ id }) => id)).toEqual(['Task6d8']);
  expect(actors(first)).toEqual({ Task38e: ['user:ina'], Task6d8: ['user:ann'] });
  expect(first.transitions).toContainEqual({
    nodeSourceId: 'Task6d8',
    nodeTargetId: 'Next',
    buttonLabel: 'wf.serialDocumentReview.Validate',
  });
  expect(first.transitions).toContainEqual({
    nodeSourceId: 'Approved',
    nodeTargetId: 'Task5c1',
    buttonLabel: null,
  });

  await flow.end('ann', await flow.only(workflow), 'validate').expect(200);
  const second = await graphFor('ina', workflow.id);
  // The workflow has returned to the node, so it has not passed it, and only the open task counts.
  expect(passed(second)).toEqual(['Task38e', 'Next']);
  expect(actors(second)).toEqual({ Task38e: ['user:ina'], Task6d8: ['user:bob'] });

  await flow.end('bob', await flow.only(workflow), 'validate').expect(200);
  const last = await graphFor('ina', workflow.id);
  expect(passed(last)).toEqual(['Task38e', 'Task6d8', 'Next', 'Approved', 'Task5c1']);
  expect(last.nodes.every(({ state }) => state === 'ready')).toBe(true);
  expect(actors(last)).toEqual({ Task38e: ['user:ina'], Task6d8: ['user:ann', 'user:bob'] });
});

test('A graph names actors only to users who can see their tasks', async () => {
  const file = await flow.fileFor({ ina: 'ReadWrite', rea: 'Read' });
  const workflow = await flow.begun('ina', 'ParallelDocumentReview', file, settings);
  expect(actors(await graphFor('rea', workflow.id))).toEqual({});
  expect(passed(await graphFor('rea', workflow.id))).toEqual(['Task21a0', 'Task2556']);
  expect(actors(await graphFor('ann', workflow.id))).toEqual({ Task328d: ['user:ann'] });
  expect(actors(await graphFor('Administrator', workflow.id))).toEqual({
    Task2556: ['user:ina'],
    Task328d: ['user:ann', 'user:bob'],
  });
});

test('A canceled workflow is at no node, and a model has neither passed nodes nor actors', async () => {
  const file = await flow.fileFor({ ina: 'ReadWrite' });
  const workflow = await flow.begun('ina', 'SerialDocumentReview', file, settings);
  await flow.agent('ina').delete(`/api/v1/workflow/${workflow.id}`).expect(204);
  const canceled = await graphFor('ina', workflow.id);
  expect(passed(canceled)).toEqual(['Task38e']);
  expect(canceled.nodes.every(({ state }) => state === 'ready')).toBe(true);
  const { workflowModels: models } = await askGraphql<{
    workflowModels: { entries: ReadonlyArray<{ graph: Graph }> };
  }>(flow.agent('ina'), workflowModels.text);
  expect(models.entries.map(({ graph }) => [passed(graph), actors(graph)])).toEqual([
    [[], {}],
    [[], {}],
  ]);
});

test('An actor sees the graph through the task, also if no document of the workflow is readable', async () => {
  const { body: workflow } = await flow
    .start('ina', 'SerialDocumentReview', [], { participants: ['user:ann'] })
    .expect(201);
  await flow.end('ina', await flow.only(workflow), 'start_review', { variables: settings }).expect(200);
  const task = await flow.only(workflow);
  const { task: seen } = await askGraphql<{ task: { graph: Graph } }>(flow.agent('ann'), taskPicture.text, {
    id: task.id,
  });
  expect(passed(seen.graph)).toEqual(['Task38e']);
  expect(actors(seen.graph)).toEqual({ Task6d8: ['user:ann'] });
  await flow.agent('ann').get(`/api/v1/workflow/${workflow.id}`).expect(403);
});
