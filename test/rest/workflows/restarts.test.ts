import { expect, test } from '@jest/globals';
import { ask, kill, type RunningServer, serve, useProcessSettings } from '../../db/processes.ts';

const settings = useProcessSettings({ isStocked: true });

const send = async ({ url }: RunningServer, method: string, address: string, body?: object) => {
  const given = { method, ...(body && { body: JSON.stringify(body) }) };
  const response = await ask(url, `/api/v1${address}`, given);
  if (!response.ok) throw new Error(`${method} ${address}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
};

const firstOf = async (server: RunningServer): Promise<Record<string, unknown>> => {
  const { entries } = await send(server, 'GET', '/task');
  return (entries as Array<Record<string, unknown>>)[0] ?? {};
};

test('§4.7 a workflow continues in the next process after the server was killed', async () => {
  const first = await serve(settings);
  await send(first, 'POST', '/path/default-domain/workspaces', {
    'entity-type': 'document',
    type: 'File',
    name: 'reviewed',
  });
  const workflow = await send(first, 'POST', '/path/default-domain/workspaces/reviewed/@workflow', {
    'entity-type': 'workflow',
    workflowModelName: 'SerialDocumentReview',
    variables: { participants: ['Administrator'] },
  });
  const { id } = await firstOf(first);
  await send(first, 'PUT', `/task/${id}/start_review`, { 'entity-type': 'task' });
  await kill(first);
  await using second = await serve(settings);
  const task = await firstOf(second);
  expect(task).toMatchObject({ nodeName: 'Task6d8', workflowInstanceId: workflow.id });
  await send(second, 'PUT', `/task/${task.id}/validate`, { 'entity-type': 'task' });
  expect(await send(second, 'GET', `/workflow/${workflow.id}`)).toMatchObject({ state: 'done' });
  const document = await send(second, 'GET', '/path/default-domain/workspaces/reviewed');
  expect(document.state).toBe('approved');
});
