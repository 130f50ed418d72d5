import { describe, expect, test } from '@jest/globals';
import { checkNames, type Diagnosis } from '../../../src/doctor/doctor.ts';
import { enqueueJobs } from '../../../src/store/queue/enqueue-jobs.ts';
import { askGraphql, exception } from '../../support/requests.ts';
import { startServer, statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');
const at = '/api/v1/management/probes';

const outcomes = async () => {
  const { body } = await server.request.get(at).expect(200);
  return Object.fromEntries(
    body.entries.map(({ name, success }: { name: string; success: boolean }) => [name, success]),
  );
};

describe('probes', () => {
  test('answer administrators what is there', async () => {
    const { body } = await server.request.get(at).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'probes' });
    expect(body.entries[0]).toEqual({
      'entity-type': 'probe',
      name: 'database',
      success: true,
      info: expect.stringMatching(/^PostgreSQL \d+\.\d+.* responds$/),
      time: expect.any(Number),
    });
    expect(await outcomes()).toEqual({ database: true, blobStore: true, searchIndex: true, jobs: true });
    const data = await askGraphql(server.request, '{ probes { entries { name } } }');
    expect(data).toMatchObject({ probes: { entries: [{ name: 'database' }, {}, {}, {}] } });
    expect(statements(await server.request.get(at).expect(200))).toBe(3);
  });

  test('say it in the language of the request (§9)', async () => {
    const { body } = await server.request.get(at).set('Accept-Language', 'fr').expect(200);
    expect(body.entries.map(({ info }: { info: string }) => info)).toEqual([
      expect.stringMatching(/ répond$/),
      'les fichiers peuvent être écrits',
      expect.stringMatching(/^l’index a \d+ s de retard$/),
      'tâches d’arrière-plan en échec : 0',
    ]);
  });

  test('say what failed, and go on', async () => {
    await enqueueJobs({ db: server.database }, [{ kind: 'test', key: 'a' }]);
    await server.database.prisma.job.updateMany({ where: { kind: 'test' }, data: { state: 'set-aside' } });
    const changedAt = new Date(Date.now() - 120_000);
    const documentId = '00000000-0000-4000-8000-000000000000';
    const change = await server.database.prisma.searchChange.create({
      data: { repository: 'other', documentId, changedAt },
    });
    expect(await outcomes()).toMatchObject({ database: true, searchIndex: false, jobs: false });
    await server.database.prisma.searchChange.deleteMany({ where: { id: change.id } });
    await server.database.prisma.job.deleteMany({ where: { kind: 'test' } });
    expect(await outcomes()).toMatchObject({ searchIndex: true, jobs: true });
  });

  test('are refused to others', async () => {
    const { body } = await bob.get(at).expect(403);
    expect(body).toMatchObject(exception(403, 'Only administrators can see probes; bob is not one.'));
  });
});

describe('diagnoses', () => {
  const query = '{ diagnoses { check skipped findings { level problem reason remedy } } }';

  test('answer administrators what quire doctor finds', async () => {
    const { diagnoses } = (await askGraphql(server.request, query)) as { diagnoses: Diagnosis[] };
    expect(diagnoses.map(({ check }) => check)).toEqual(checkNames);
    expect(diagnoses.filter(({ skipped }) => skipped !== null)).toEqual([]);
    expect(diagnoses.flatMap(({ findings }) => findings)).toContainEqual({
      level: 'advice',
      problem: 'The password of Administrator is the default one.',
      reason: 'Everybody who can reach the server can sign in as administrator.',
      remedy: 'Change the password in the console, under Account.',
    });
  });

  test('compare TRUST_PROXY with the proxies that the request has passed through', async () => {
    const { body } = await server.request
      .post('/graphql')
      .set('X-Forwarded-For', '203.0.113.7, 10.0.0.1')
      .send({ query })
      .expect(200);
    const { findings } = body.data.diagnoses.find(({ check }: Diagnosis) => check === 'addresses');
    expect(findings).toMatchObject([
      {
        level: 'fault',
        problem: 'TRUST_PROXY is 0, but the header X-Forwarded-For of this request contains 2 addresses.',
      },
    ]);
    const proxied = await startServer({
      TRUST_PROXY: '2',
      ADMIN_PASSWORD: 'not the default',
      PUBLIC_URL: 'http://localhost:1',
    });
    await using _ = proxied;
    const direct = (await askGraphql(proxied.request, query)) as {
      diagnoses: Diagnosis[];
    };
    expect(direct.diagnoses.find(({ check }) => check === 'addresses')?.findings).toContainEqual(
      expect.objectContaining({ problem: 'TRUST_PROXY is 2, but this request passed through 0 proxies.' }),
    );
  });

  test('are refused to others', async () => {
    const { body } = await bob.post('/graphql').send({ query: '{ diagnoses { check } }' }).expect(403);
    expect(body.errors[0].message).toBe('Only administrators can do this; bob is not one.');
  });
});
