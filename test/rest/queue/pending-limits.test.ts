import { beforeAll, expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';
import { untilWaiting } from '../../support/until-waiting.ts';

const server = useServer();

beforeAll(() => server.stopCallersJobs()); // what is begun stays pending

const lastBut = 99;

const username = 'Administrator';

const run = (db: Pick<typeof server.database, 'query'>, text: string) => db.query({ name: '', text }, []);

/** Sends two requests, neither of which commits before both have come as far as they can. */
async function sendTwo(send: () => PromiseLike<{ status: number }>): Promise<number[]> {
  const { database } = server;
  await run(
    database,
    `CREATE FUNCTION hold_insert() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END'`,
  );
  await run(
    database,
    `CREATE TRIGGER hold AFTER INSERT ON bulk_command FOR EACH ROW EXECUTE FUNCTION hold_insert()`,
  );
  const { answers } = await database.transaction(30, async (db) => {
    await run(db, 'SELECT FROM pg_advisory_xact_lock(77)');
    const sent = [send(), send()].map((answer) => Promise.resolve(answer));
    await untilWaiting(database, 2);
    return { answers: sent };
  });
  return (await Promise.all(answers)).map(({ status }) => status).toSorted();
}

test('§8 of two bulk actions the hundredth begins, the other is 429', async () => {
  const row = { repository: 'default', username, action: 'trash', parameters: {}, query: {} };
  await server.database.prisma.bulkCommand.createMany({
    data: Array.from({ length: lastBut }, () => ({ ...row, id: crypto.randomUUID() })),
  });
  const query = "SELECT * FROM Document WHERE ecm:name = 'no-such'";
  const send = () => server.request.post('/api/v1/search/bulk/trash').query({ query }).send({});
  expect(await sendTwo(send)).toEqual([202, 429]);
});
