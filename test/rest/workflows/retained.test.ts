import { beforeAll, expect, test } from '@jest/globals';
import { createDocument, readDocument } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { reviewing } from './workflow-requests.ts';

const server = useServer();
const flow = reviewing(server);
const run = calling(server);
beforeAll(() => createUser(server, 'ann'));

// §3, §4.7
test.each(['SerialDocumentReview', 'ParallelDocumentReview'])(
  '%s of a document under legal hold is approved, and its state stays',
  async (model) => {
    const [held, free] = [await createDocument(server), await createDocument(server)];
    const { body: workflow } = await flow.start('Administrator', model, [held.uid, free.uid]).expect(201);
    const variables = { participants: ['user:ann'], validationOrReview: 'validation' };
    const more = model === 'ParallelDocumentReview' ? { end_date: '2999-01-01' } : {};
    const first = await flow.only(workflow);
    await flow
      .end('Administrator', first, 'start_review', { variables: { ...variables, ...more } })
      .expect(200);
    await run('Document.Hold', held.uid).expect(200);
    const review = await flow.only(workflow);
    await flow.end('ann', review, model === 'ParallelDocumentReview' ? 'approve' : 'validate').expect(200);
    if ((await flow.state(workflow)) !== 'done')
      await flow.end('Administrator', await flow.only(workflow), 'validate').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    expect((await readDocument(server.request, held.uid)).state).toBe('project');
    expect((await readDocument(server.request, free.uid)).state).toBe('approved');
  },
);
