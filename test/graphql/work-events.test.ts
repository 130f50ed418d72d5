import { describe, expect, test } from '@jest/globals';
import { enqueueJobs } from '../../src/store/queue/enqueue-jobs.ts';
import { createDocument } from '../support/documents.ts';
import { call } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { useEventStreams } from './event-stream.ts';

const server = useServer();
const watch = useEventStreams(server);

describe('A subscription to tasks', () => {
  test('tells of a task that is created and of one that has ended', async () => {
    interface TaskEvents {
      taskEvents: ReadonlyArray<{ entry: { eventId: string }; task: { id: string } }>;
    }
    const document = await createDocument(server, { parent: '/', name: 'reviewed' });
    const stream = await watch<TaskEvents>('subscription { taskEvents { entry { eventId } task { id } } }');
    await call(server.request, 'Context.StartWorkflow', {
      input: document.uid,
      params: { id: 'SerialDocumentReview', start: true },
    }).expect(200);
    const { data } = (await stream.next()) ?? {};
    expect(data?.taskEvents.map(({ entry }) => entry.eventId)).toEqual(['afterWorkflowTaskCreated']);
  });
});

describe('A subscription to jobs', () => {
  test('tells of a job that is added, set aside and dropped, and of no other kind', async () => {
    interface JobEvents {
      jobEvents: ReadonlyArray<{
        job: { key: string; state: string; error: string | null };
        isGone: boolean;
      }>;
    }
    const stream = await watch<JobEvents>(
      'subscription ($kind: [String!]) { jobEvents(kind: $kind) { job { id key state error } isGone } }',
      { kind: ['watched'] },
    );
    const next = async () => (await stream.next())?.data?.jobEvents;
    const { job } = server.database.prisma;
    await enqueueJobs({ db: server.database }, [
      { kind: 'watched', key: 'a' },
      { kind: 'other', key: 'b' },
    ]);
    const waiting = { id: expect.any(String), key: 'a', state: 'waiting', error: null };
    expect(await next()).toEqual([{ job: waiting, isGone: false }]);
    await job.updateMany({ where: { kind: 'watched' }, data: { runAt: new Date() } }); // no change to tell of
    await job.updateMany({ where: { kind: 'watched' }, data: { state: 'set-aside', error: 'it failed' } });
    const failed = { ...waiting, state: 'set-aside', error: 'it failed' };
    expect(await next()).toEqual([{ job: failed, isGone: false }]);
    await job.deleteMany({ where: { kind: { in: ['watched', 'other'] } } });
    expect(await next()).toEqual([{ job: failed, isGone: true }]);
  });
});
