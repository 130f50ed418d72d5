import { beforeAll, describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { startServer, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { untilWaiting, waitingSessions } from '../../support/until-waiting.ts';
import { useUser } from '../../support/users.ts';

const connections = 6;
const half = connections / 2;
const server = useServer({ DATABASE_CONNECTIONS: String(connections) });
const { request } = server;
const bob = useUser(server, 'bob');

/** Locks a document in another transaction while the work runs. */
const whileHeld = <T>({ uid }: DocumentEntity, work: () => Promise<T>): Promise<T> =>
  server.database.transaction(60, async ({ prisma }) => {
    await prisma.$queryRawUnsafe('SELECT id FROM document WHERE id = $1::uuid FOR UPDATE', uid);
    return work();
  });

let nth = 0;
/** Sends calls that wait for a held document. @returns what resolves with their statuses. */
function block({ uid }: DocumentEntity, count: number): Promise<number[]> {
  const sent = Array.from({ length: count }, () => {
    nth += 1;
    return updateDocument(request, uid, { 'dc:title': `${nth}` }).then(({ status }) => status);
  });
  return Promise.all(sent);
}

const metric = async (name: string): Promise<number> => {
  const { text } = await request.get('/metrics').expect(200);
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
};

const document = () => createDocument(server);
const begin = (row: DocumentEntity) =>
  call(request, 'Document.Update/@async', {
    input: row.uid,
    params: { properties: { 'dc:title': 'later' } },
  });
const hasEnded = async ({ headers }: { headers: Record<string, string> }): Promise<boolean> =>
  (await request.get(new URL(headers.location ?? '').pathname).redirects(0)).status === 303;

describe('§8 the transactions of one user', () => {
  test('have half of the connections, of administrators too, and all are done in their turn', async () => {
    const [held, folder] = [await document(), await createDocument(server, { type: 'Folder' })];
    await setAcl(server, folder.path, [grant('bob', 'Everything')]);
    let blocked: Promise<number[]> = Promise.resolve([]);
    await whileHeld(held, async () => {
      blocked = block(held, 2 * connections);
      await untilWaiting(server.database, half);
      await createDocument({ request: bob }, { parent: folder.path });
      await bob.get('/api/v1/me').set('Svc-Transaction-Timeout', '60').expect(200);
      await request.get(atId(held.uid)).expect(200);
      expect(await waitingSessions(server.database)).toBe(half);
    });
    expect(await blocked).toEqual(Array(2 * connections).fill(200));
    expect(await metric('transaction_wait_seconds_count')).toBeGreaterThanOrEqual(2 * connections - half);
  });

  test('that wait for too long, or in vain, are 503 with Retry-After; reads without a time limit go on', async () => {
    const [held, other] = [await document(), await document()];
    const before = await metric('transactions_refused_total');
    let blocked: Promise<number[]> = Promise.resolve([]);
    await whileHeld(held, async () => {
      blocked = block(held, half);
      await untilWaiting(server.database, half);
      const late = [
        updateDocument(request, other.uid, { 'dc:title': 'late' }).set('Svc-Transaction-Timeout', '1'),
        request.get(atId(other.uid)).set('Svc-Transaction-Timeout', '60'),
      ];
      for (const { status, headers, body } of await Promise.all(late)) {
        expect([status, body.message]).toEqual([
          503,
          'This user has too many requests in progress. Try again soon.',
        ]);
        expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      }
      await request.get(atId(other.uid)).expect(200);
    });
    expect(await blocked).toEqual(Array(half).fill(200));
    expect((await metric('transactions_refused_total')) - before).toBe(2);
    await updateDocument(request, other.uid, { 'dc:title': 'in time' }).expect(200);
  });

  test('beyond those that may wait are 503 at once, and leave slots for writes of others', async () => {
    const [held, folder] = [await document(), await createDocument(server, { type: 'Folder' })];
    await setAcl(server, folder.path, [grant('bob', 'Everything')]);
    const maxWaiting = 8 * connections;
    let blocked: Promise<number[]> = Promise.resolve([]);
    await whileHeld(held, async () => {
      blocked = block(held, half + maxWaiting + 5);
      await until(async () => (await metric('transactions_refused_total')) >= 7);
      await createDocument({ request: bob }, { parent: folder.path });
    });
    const statuses = await blocked;
    expect(statuses.filter((status) => status === 503)).toHaveLength(5);
    expect(statuses.filter((status) => status === 200)).toHaveLength(half + maxWaiting);
  });

  test('leave one to the calls of a user whose executions have the others', async () => {
    const [held, other] = [await document(), await document()];
    let begun: Array<Awaited<ReturnType<typeof begin>>> = [];
    await whileHeld(held, async () => {
      begun = await Promise.all(Array.from({ length: half }, () => begin(held).expect(202)));
      await untilWaiting(server.database, half - 1);
      await updateDocument(request, other.uid, { 'dc:title': 'now' }).expect(200);
      expect(await waitingSessions(server.database)).toBe(half - 1);
    });
    await until(async () => (await Promise.all(begun.map(hasEnded))).every(Boolean));
  });

  test.each(['1', '2'])('of a pool of %s connections are done one after the other', async (size) => {
    await using small = await startServer({ DATABASE_CONNECTIONS: size });
    const { path } = await createDocument(small, { type: 'Folder' });
    const sent = Array.from({ length: 8 }, () => createDocument(small, { parent: path }));
    expect(await Promise.all(sent)).toHaveLength(8);
  });
});

describe('§8 Svc-Transaction-Timeout', () => {
  beforeAll(async () => {
    const { prisma } = server.database;
    await prisma.$executeRawUnsafe('CREATE TABLE given_time (id uuid, milliseconds text)');
    await prisma.$executeRawUnsafe(`CREATE FUNCTION note_time() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO given_time SELECT NEW.id, setting FROM pg_settings WHERE name = 'statement_timeout';
        RETURN NULL;
      END $$`);
    await prisma.$executeRawUnsafe(
      'CREATE TRIGGER note_time AFTER UPDATE ON document FOR EACH ROW EXECUTE FUNCTION note_time()',
    );
  });
  const given = async ({ uid }: DocumentEntity): Promise<number[]> => {
    const sql = `SELECT milliseconds::int AS "ms" FROM given_time WHERE id = '${uid}'`;
    return (await server.database.query<{ ms: number }>({ name: '', text: sql }, [])).map(({ ms }) => ms);
  };

  test('is a day at most', async () => {
    const [called, deferred] = [await document(), await document()];
    await updateDocument(request, called.uid, { 'dc:title': 'x' })
      .set('Svc-Transaction-Timeout', '99999999999')
      .expect(200);
    const begun = await begin(deferred).set('Svc-Transaction-Timeout', '99999999999').expect(202);
    await until(() => hasEnded(begun));
    for (const document of [called, deferred])
      expect(new Set(await given(document))).toEqual(new Set([86_400_000]));
  });
});
