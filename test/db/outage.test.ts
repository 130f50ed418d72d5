import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { translateDatabaseError } from '../../src/db/errors.ts';
import { Unavailable } from '../../src/errors.ts';
import { createDocument } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = useServer();

let own: pg.Client;

/** Ends the given connection, or all connections to the database except its own, and waits until they have ended. */
async function breakOff(pid?: number): Promise<void> {
  const { rows } = await own.query(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND ($1::int IS NULL OR pid = $1::int)`,
    [pid ?? null],
  );
  const left = 'SELECT FROM pg_stat_activity WHERE pid = ANY ($1::int[])';
  const ended = [rows.map((row) => row.pid)];
  await until(async () => (await own.query(left, ended)).rowCount === 0);
}

const address = '/api/v1/path/default-domain/workspaces';

describe('§8 A connection that breaks', () => {
  beforeAll(async () => {
    own = new pg.Client({ connectionString: server.url });
    await own.connect();
  });
  afterAll(() => own.end());

  test('a transaction whose connection breaks between two statements is rolled back', async () => {
    const document = await createDocument(server);
    const broken = server.database.transaction(20, async ({ prisma }) => {
      await prisma.document.updateMany({ where: { id: document.uid }, data: { title: 'never' } });
      const [row] = await prisma.$queryRawUnsafe<Array<{ pid: number }>>('SELECT pg_backend_pid() AS pid');
      await breakOff(row?.pid); // the connection ends while it is idle
      await prisma.$queryRawUnsafe('SELECT 1');
    });
    const error = await broken.catch((caught: unknown) => caught);
    expect(translateDatabaseError(error)).toBeInstanceOf(Unavailable);
    const { body } = await server.request.get(`/api/v1/id/${document.uid}`).expect(200);
    expect(body).toMatchObject({ title: document.title, changeToken: document.changeToken });
  });

  test('the next requests get new connections after idle ones broke', async () => {
    await Promise.all(Array.from({ length: 8 }, () => createDocument(server)));
    await breakOff();
    await createDocument(server);
    await server.request.get(`${address}/@children`).expect(200);
    await server.request.get(address).expect(200);
  });

  test('requests under load get 503 at worst, and later ones succeed immediately', async () => {
    const statuses = new Set<number>();
    let isOver = false;
    const client = async (index: number) => {
      for (let count = 0; !isOver; count += 1) {
        const name = `broken-${index}-${count}`;
        const create = server.request.post(address).send({ 'entity-type': 'document', type: 'Folder', name });
        const calls = [create, server.request.get(address), server.request.get(`${address}/@children`)];
        statuses.add((await calls[(index + count) % 3])?.status ?? 0);
      }
    };
    const clients = Array.from({ length: 6 }, (_, index) => client(index));
    for (let round = 0; round < 10; round += 1) {
      await wait(100);
      await breakOff();
    }
    isOver = true;
    await Promise.all(clients);
    for (const status of statuses) expect([200, 201, 503]).toContain(status);
    expect(statuses).toContain(200);
    expect(server.logged.filter(({ msg }) => msg === 'unexpected error')).toEqual([]);
    await server.request.get(`${address}/@children`).expect(200);
    await createDocument(server);
  });
});
