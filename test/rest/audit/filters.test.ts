import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { audit, type LogEntryEntity } from './audit-requests.ts';

const server = useServer();

describe('§2.6 the filters of @audit', () => {
  let document: DocumentEntity;
  beforeAll(async () => {
    document = await createDocument(server);
    const day = (date: string) => ({ docUuid: document.uid, eventDate: new Date(date) });
    const data = [
      { ...day('2020-01-01T00:00:00Z'), eventId: 'one', category: 'A', principalName: 'ann' },
      { ...day('2020-01-01T23:59:59.999Z'), eventId: 'two', category: 'A', principalName: 'bob' },
      { ...day('2020-01-02T00:00:00Z'), eventId: 'three', category: 'B', principalName: 'ann' },
      { ...day('2020-01-02T12:00:00Z'), eventId: 'one', category: 'B', principalName: 'cid, Doe' },
    ].map((entry) => ({ ...entry, repository: 'default' }));
    await server.database.prisma.logEntry.deleteMany({ where: { docUuid: document.uid } });
    await server.database.prisma.logEntry.createMany({ data });
  });

  const found = async (query: Parameters<typeof audit>[2]): Promise<string> => {
    const { body } = await audit(server, document, query).expect(200);
    expect(body.resultsCount).toBe(body.entries.length);
    return body.entries.map(({ eventId }: LogEntryEntity) => eventId).join(' ');
  };

  test.each([
    [{}, 'one three two one'],
    [{ eventId: 'one' }, 'one one'],
    [{ eventId: ['one', 'two'] }, 'one two one'],
    [{ eventId: 'two,three' }, 'three two'],
    [{ eventId: 'nothing' }, ''],
    [{ category: 'B' }, 'one three'],
    [{ category: ['A', 'B'] }, 'one three two one'],
    [{ principalName: 'ann' }, 'three one'],
    [{ principalName: ['bob', 'cid, Doe'] }, 'one two'],
    [{ principalName: 'cid, Doe' }, 'one'],
    [{ principalName: 'ann,bob' }, ''],
    [{ eventId: ['one,', 'two,three'] }, ''],
    [{ category: 'A', principalName: 'ann' }, 'one'],
    [{ startEventDate: '2020-01-02' }, 'one three'],
    [{ endEventDate: '2020-01-01' }, 'two one'],
    [{ startEventDate: '2020-01-01', endEventDate: '2020-01-01' }, 'two one'],
    [{ endEventDate: '2020-01-02T00:00:00Z' }, 'three two one'],
    [{ startEventDate: '2020-01-02T01:00:00+01:00' }, 'one three'],
    [{ startEventDate: '2020-01-02T12:00:00.001Z' }, ''],
    [{ startEventDate: '2021-01-01', endEventDate: '2020-01-01' }, ''],
    [{ sortBy: 'eventDate', sortOrder: 'asc' }, 'one two three one'],
    [{ sortBy: 'eventId', sortOrder: 'ASC' }, 'one one three two'],
    [{ sortBy: 'principalName,eventDate', sortOrder: 'asc,asc' }, 'one three two one'],
    [{ sortBy: 'id' }, 'one three two one'],
  ])('return the expected entries for %j', async (query, events) => {
    expect(await found(query as Parameters<typeof audit>[2])).toBe(events);
  });

  test('are ignored when empty', async () => {
    const names = ['eventId', 'category', 'principalName', 'startEventDate', 'endEventDate', 'sortBy'];
    const all = await found({});
    expect(all).not.toBe('');
    expect(await found(Object.fromEntries(names.map((name) => [name, ''])))).toBe(all);
  });

  test.each([
    ['startEventDate', 'yesterday'],
    ['startEventDate', '2020-02-30'],
    ['endEventDate', '2020-01-01T25:00:00Z'],
    ['sortBy', 'extended'],
    ['sortBy', 'toString'],
    ['sortBy', 'dc:title'],
    ['pageSize', '-2'],
    ['currentPageIndex', 'x'],
  ])('answer 400 and name the parameter for %s: "%s"', async (name, value) => {
    const { body } = await audit(server, document, { [name]: value }).expect(400);
    expect(body.message).toContain(name);
  });

  test('answer 400 for a NUL character', async () => {
    for (const name of ['eventId', 'category', 'principalName'])
      await server.request.get(`/api/v1/id/${document.uid}/@audit?${name}=%00`).expect(400);
  });
});

const word = fc.constantFrom('a', 'b', 'c', "d'", 'ä%');
/** A few times around midnight, so that generated entries often have equal ones. */
const moments = ['T00:00:00.000Z', 'T12:30:00.500Z', 'T23:59:59.999Z'];
const day = fc.constantFrom('2020-02-28', '2020-02-29', '2020-03-01');
const moment = fc.tuple(day, fc.constantFrom(...moments)).map((parts) => parts.join(''));

const entry = fc.record({ eventId: word, category: word, principalName: word, eventDate: moment });
const wish = fc.record(
  {
    eventId: fc.array(word, { minLength: 1, maxLength: 3 }),
    category: fc.array(word, { minLength: 1, maxLength: 3 }),
    principalName: fc.array(word, { minLength: 1, maxLength: 3 }),
    startEventDate: fc.oneof(day, moment),
    endEventDate: fc.oneof(day, moment),
    pageSize: fc.integer({ min: 1, max: 5 }),
    currentPageIndex: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: [] },
);

type Entry = typeof entry extends fc.Arbitrary<infer Type> ? Type : never;
type Wish = typeof wish extends fc.Arbitrary<infer Type> ? Type : never;

const time = (date: string, ofDay: string): number => Date.parse(date.includes('T') ? date : date + ofDay);

/** The reference filter: the matching entries, the latest first. Ids rise with the index. */
function fitting(entries: readonly Entry[], asked: Wish): Array<Entry & { at: number }> {
  const has = (names: readonly string[] | undefined, name: string) => names?.includes(name) ?? true;
  return entries
    .map((each, at) => ({ ...each, at }))
    .filter(({ eventId }) => has(asked.eventId, eventId))
    .filter(({ category }) => has(asked.category, category))
    .filter(({ principalName }) => has(asked.principalName, principalName))
    .filter(({ eventDate }) => Date.parse(eventDate) >= time(asked.startEventDate ?? '1970-01-01', 'T00:00Z'))
    .filter(
      ({ eventDate }) => Date.parse(eventDate) <= time(asked.endEventDate ?? '2100-01-01', 'T23:59:59.999Z'),
    )
    .sort((one, other) => Date.parse(other.eventDate) - Date.parse(one.eventDate) || other.at - one.at);
}

test('§2.6 @audit returns the same pages as a reference filter for generated entries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 20 }), wish, async (entries, asked) => {
      const { uid } = await createDocument(server);
      const { prisma } = server.database;
      await prisma.logEntry.deleteMany({ where: { docUuid: uid } });
      const data = entries.map((each) => ({ ...each, repository: 'default', docUuid: uid }));
      await prisma.logEntry.createMany({ data });

      const { body } = await audit(server, { uid }, asked).expect(200);
      const expected = fitting(entries, asked);
      const { pageSize = 50, currentPageIndex = 0 } = asked;
      const first = pageSize * currentPageIndex;
      expect(body.resultsCount).toBe(expected.length);
      expect(
        body.entries.map(({ eventId, category, principalName, eventDate }: LogEntryEntity) => ({
          eventId,
          category,
          principalName,
          eventDate,
        })),
      ).toEqual(expected.slice(first, first + pageSize).map(({ at: _, ...each }) => each));
    }),
    { numRuns: 20 },
  );
});
