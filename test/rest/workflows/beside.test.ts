import { expect, test } from '@jest/globals';
import { startBeside } from '../../support/beside.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { reviewing } from './workflow-requests.ts';

const server = useServer();
const flow = reviewing(server);

test('§4.7 a workflow continues in another process than the one that began it', async () => {
  const [who, variables] = ['Administrator', { participants: ['Administrator'] }];
  const file = await createDocument(server);
  const workflow = await flow.begun(who, 'SerialDocumentReview', file, variables);
  const { request, close } = await startBeside(server);
  try {
    const [task] = (await request.get('/api/v1/task').expect(200)).body.entries;
    expect(task).toMatchObject({ nodeName: 'Task6d8', workflowInstanceId: workflow.id });
    await request.put(`/api/v1/task/${task.id}/validate`).send({ 'entity-type': 'task' }).expect(200);
    expect((await request.get(`/api/v1/workflow/${workflow.id}`).expect(200)).body.state).toBe('done');
    expect((await request.get(`/api/v1/id/${file.uid}`).expect(200)).body.state).toBe('approved');
  } finally {
    await close();
  }
});
