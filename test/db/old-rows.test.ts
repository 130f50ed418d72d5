import { describe, expect, test } from '@jest/globals';
import { deleteOldEntries } from '../../src/store/audit/audit.ts';
import { deleteOldExecutions } from '../../src/store/executions/executions.ts';
import { deleteOldAnswers } from '../../src/store/executions/idempotency.ts';
import { deleteUnusedFileWords } from '../../src/store/search/file-words.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

describe('Log entries', () => {
  const entries = (count: number, eventDate: Date) =>
    server.database.prisma.logEntry.createMany({
      data: Array.from({ length: count }, () => ({
        repository: 'default',
        eventId: 'old',
        category: 'test',
        principalName: 'x',
        eventDate,
      })),
    });
  const left = () => server.database.prisma.logEntry.count({ where: { category: 'test' } });

  test('older than AUDIT_DAYS are deleted in batches; younger ones stay', async () => {
    await entries(5_001, daysAgo(31));
    await entries(2, daysAgo(29));
    expect(await deleteOldEntries(server.database, 30)).toBe(5_001);
    expect(await left()).toBe(2);
    expect(await deleteOldEntries(server.database, 30)).toBe(0);
  });

  test('are never deleted without AUDIT_DAYS', async () => {
    await entries(1, daysAgo(10_000));
    const before = await left();
    expect(await deleteOldEntries(server.database, undefined)).toBe(0);
    expect(await left()).toBe(before);
  });

  test('are not deleted while the server is stopping', async () => {
    await entries(1, daysAgo(31));
    expect(await deleteOldEntries(server.database, 30, () => true)).toBe(0);
  });
});

describe('Answers kept for idempotency keys', () => {
  test('are deleted after a day', async () => {
    const key = (name: string, days: number) => ({
      repository: 'default',
      userId: 'ann',
      key: name,
      request: 'x',
      createdAt: daysAgo(days),
    });
    await server.database.prisma.user.create({ data: { id: 'ann' } });
    await server.database.prisma.keptAnswer.createMany({ data: [key('old', 1.01), key('new', 0.99)] });
    expect(await deleteOldAnswers(server.database, 1)).toBe(1);
    expect(await server.database.prisma.keptAnswer.findMany()).toMatchObject([{ key: 'new' }]);
  });
});

describe('Executions', () => {
  test('are deleted a day after they ended or were last renewed', async () => {
    const execution = (id: string, days: number, answer: string | null) => ({
      repository: 'default',
      id,
      userId: 'ben',
      operation: 'Log',
      answer,
      renewedAt: daysAgo(days),
    });
    await server.database.prisma.user.create({ data: { id: 'ben' } });
    await server.database.prisma.execution.createMany({
      data: [execution('done', 1.01, 'x'), execution('lost', 1.01, null), execution('running', 0, null)],
    });
    expect(await deleteOldExecutions(server.database, 1)).toBe(2);
    expect(await server.database.prisma.execution.findMany()).toMatchObject([{ id: 'running' }]);
  });
});

describe('Rows that stay whatever their age', () => {
  test('are skipped in batches, also when many have the same date', async () => {
    const { database } = server;
    const send = (text: string, values: unknown[] = []) => database.query({ name: '', text }, values);
    const lay = (prefix: string, count: number) =>
      send(
        `INSERT INTO file_words (digest, words, created_at)
         SELECT md5($1 || n) || md5($1 || n), '', now() - interval '9 days' FROM generate_series(1, $2::int) n`,
        [prefix, count],
      );
    await lay('used', 10_001);
    await lay('unused', 3);
    await send(`INSERT INTO document_blob (repository, document_id, xpath, digest)
      SELECT d.repository, d.id, w.digest, w.digest FROM file_words w JOIN document d ON d.path = '/'
      WHERE w.digest IN (SELECT md5('used' || n) || md5('used' || n) FROM generate_series(1, 10001) n)`);
    let count = 0;
    const counting: Pick<typeof database, 'query'> = {
      query: (statement, values) => {
        count += 1;
        return database.query(statement, values);
      },
    };
    expect(await deleteUnusedFileWords(counting, 7)).toBe(3);
    expect(count).toBe(3);
    const [left] = await database.query<{ count: number }>(
      { name: '', text: 'SELECT count(*)::int AS count FROM file_words' },
      [],
    );
    expect(left?.count).toBe(10_001);
  });
});
