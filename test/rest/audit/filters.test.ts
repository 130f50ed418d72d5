import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocument } from '../../support/factories.ts';
import { start, type TestServer } from '../../support/server.ts';
import { audit, type LogEntryEntity } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const word = fc.constantFrom('a', 'b', 'c', "d'", 'ä%');
/** Few moments, so that many are the same, on both sides of midnight. */
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

/** What fits, worked out by means of its own; ids rise with the place. */
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

test('§2.6 @audit finds what a plain filter finds, page by page', async () => {
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
          ...{ eventId, category, principalName, eventDate },
        })),
      ).toEqual(expected.slice(first, first + pageSize).map(({ at: _, ...each }) => each));
    }),
    { numRuns: 60 },
  );
}, 60_000);
