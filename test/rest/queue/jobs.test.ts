import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { enqueueJobs } from '../../../src/store/queue/enqueue-jobs.ts';
import { useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
const at = '/api/v1/management/jobs';

beforeEach(async () => {
  await server.database.prisma.job.deleteMany();
});

/** Its id. */
async function created(state: string): Promise<string> {
  await enqueueJobs({ db: server.database }, [{ kind: 'test', key: 'a' }]);
  const { id } = await server.database.prisma.job.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const error = state === 'set-aside' ? 'it failed' : null;
  await server.database.prisma.job.update({ where: { id }, data: { state, error, attempts: 3 } });
  return String(id);
}

const ask = (query: string) => server.request.post('/graphql').send({ query });

describe('jobs', () => {
  test('are listed for administrators, the newest first, by state and kind', async () => {
    const first = await created('waiting');
    const second = await created('set-aside');
    const { body } = await server.request.get(at).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'jobs', resultsCount: 2 });
    expect(body.entries.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    const aside = await server.request.get(`${at}?state=set-aside&kind=test`).expect(200);
    expect(aside.body.entries).toMatchObject([
      {
        'entity-type': 'job',
        id: second,
        kind: 'test',
        key: 'a',
        state: 'set-aside',
        attempts: 3,
        error: 'it failed',
      },
    ]);
    expect((await server.request.get(`${at}?kind=other`)).body.entries).toEqual([]);
    const { body: faulty } = await server.request.get(`${at}?state=failed`).expect(400);
    expect(faulty.message).toBe('state: "failed" is not one of waiting, running, set-aside.');
    const { body: data } = await ask('{ jobs(state: ["waiting"]) { entries { id state } } }');
    expect(data).toEqual({ data: { jobs: { entries: [{ id: first, state: 'waiting' }] } } });
  });

  test('that are set aside run again with all attempts, or are dropped', async () => {
    const [again, dropped] = [await created('set-aside'), await created('set-aside')];
    await server.request.post(`${at}/${again}/run`).expect(204);
    await server.request.delete(`${at}/${dropped}`).expect(204);
    const { body } = await server.request.get(at);
    expect(body.entries).toMatchObject([{ id: again, state: 'waiting', attempts: 0 }]);
  });

  test('run again and are dropped in GraphQL too', async () => {
    const [again, dropped] = [await created('set-aside'), await created('set-aside')];
    const { body } = await ask(`mutation { runJob(id: "${again}") dropJob(id: "${dropped}") }`);
    expect(body).toEqual({ data: { runJob: again, dropJob: dropped } });
  });

  test('in another state answer 409, and those that do not exist 404', async () => {
    const [running, waiting] = [await created('running'), await created('waiting')];
    await server.request.post(`${at}/${running}/run`).expect(409);
    await server.request.delete(`${at}/${running}`).expect(409);
    await server.request.delete(`${at}/${waiting}`).expect(409);
    for (const id of ['999999', 'x', '9'.repeat(30)]) {
      await server.request.post(`${at}/${id}/run`).expect(404);
      await server.request.delete(`${at}/${id}`).expect(404);
    }
  });

  test('are for administrators alone', async () => {
    await createUser(server, 'ann');
    const id = await created('set-aside');
    const ann = as(server, 'ann');
    await ann.get(at).expect(403);
    await ann.post(`${at}/${id}/run`).expect(403);
    await ann.delete(`${at}/${id}`).expect(403);
    expect(await server.database.prisma.job.findMany()).toMatchObject([{ state: 'set-aside' }]);
  });

  test('are counted in the metrics, once in 15 seconds', async () => {
    const counted = async () => {
      const { text } = await server.request.get('/metrics').expect(200);
      return /^jobs\{kind="test",state="set-aside"\} (\d+)$/m.exec(text)?.[1];
    };
    await created('set-aside');
    await created('set-aside');
    expect(await counted()).toBe('2');
    await created('set-aside');
    expect(await counted()).toBe('2');
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 15_001);
    expect(await counted()).toBe('3');
    clock.mockRestore();
  });
});
