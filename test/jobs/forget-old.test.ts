import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { forgetAnswers } from '../../src/jobs/forget-answers.ts';
import { forgetEntries } from '../../src/jobs/forget-entries.ts';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

describe('Log entries', () => {
  const entries = (count: number, eventDate: Date) =>
    server.database.prisma.logEntry.createMany({
      data: Array.from({ length: count }, () => ({
        ...{ repository: 'default', eventId: 'old', category: 'test', principalName: 'x', eventDate },
      })),
    });
  const left = () => server.database.prisma.logEntry.count({ where: { category: 'test' } });

  test('go after AUDIT_DAYS, more of them than one batch, and younger ones stay', async () => {
    await entries(5_001, daysAgo(31));
    await entries(2, daysAgo(29));
    expect(await forgetEntries(server.database, 30)).toBe(5_001);
    expect(await left()).toBe(2);
    expect(await forgetEntries(server.database, 30)).toBe(0);
  });

  test('stay for ever without it', async () => {
    await entries(1, daysAgo(10_000));
    const before = await left();
    expect(await forgetEntries(server.database, undefined)).toBe(0);
    expect(await left()).toBe(before);
  });

  test('stay when the server is stopping', async () => {
    await entries(1, daysAgo(31));
    expect(await forgetEntries(server.database, 30, () => true)).toBe(0);
  });
});

describe('Answers that were kept for a key', () => {
  test('go after a day', async () => {
    const key = (name: string, days: number) => ({
      ...{ repository: 'default', userId: 'ann', key: name, request: 'x', createdAt: daysAgo(days) },
    });
    await server.database.prisma.keptAnswer.createMany({ data: [key('old', 1.01), key('new', 0.99)] });
    expect(await forgetAnswers(server.database)).toBe(1);
    expect(await server.database.prisma.keptAnswer.findMany()).toMatchObject([{ key: 'new' }]);
  });

  test('go after a day, of executions too', async () => {
    const execution = (key: string, days: number, answer: string | null) => ({
      ...{ repository: 'default', userId: 'ben', key, request: '', operation: 'Log', answer },
      createdAt: daysAgo(days),
    });
    await server.database.prisma.keptAnswer.createMany({
      data: [execution('done', 1.01, 'x'), execution('lost', 1.01, null), execution('running', 0, null)],
    });
    expect(await forgetAnswers(server.database)).toBe(2);
    const left = await server.database.prisma.keptAnswer.findMany({ where: { userId: 'ben' } });
    expect(left).toMatchObject([{ key: 'running' }]);
  });
});
