import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { operations } from '../../src/automation/index.ts';
import { deny, grant, setAcl } from '../support/acls.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { call } from './calls.ts';
import { mutations } from './mutations/index.ts';
import type { Given, Mutation, Places } from './mutations/mutation.ts';

let server: TestServer;
let bob: TestServer['request'];
let anonymous: TestServer['request'];
const members: Record<string, TestServer['request']> = {};
beforeAll(async () => {
  server = await start();
  await createUser(server, 'bob');
  bob = as(server, 'bob');
  anonymous = supertest.agent(server.app);
  for (const group of ['administrators', 'powerusers']) {
    await createUser(server, group, [group]);
    members[group] = as(server, group);
  }
});
afterAll(() => server.stop());

/** The events that some work leaves in the audit, and the documents that they are about. */
async function eventsOf(work: () => Promise<unknown>): Promise<Array<[string, string | null]>> {
  const { logEntry } = server.database.prisma;
  const last = await logEntry.aggregate({ _max: { id: true } });
  await work();
  const entries = await logEntry.findMany({
    // Log-ins are written when it suits the journal.
    where: { id: { gt: last._max.id ?? 0 }, NOT: { category: 'NuxeoAuthentication' } },
    orderBy: { id: 'asc' },
  });
  return entries.map(({ eventId, docUuid }) => [eventId, docUuid]);
}

const needed = ({ needs }: Mutation) =>
  Object.entries(needs).flatMap(([place, permissions]) =>
    permissions.map((permission) => [permission, place] as const),
  );

/** Those that are not given a document to work on. */
const takesNone = (id: string): boolean =>
  operations.some(
    (operation) => operation.id === id && !operation.takes.some((kind) => kind.startsWith('document')),
  );

/** Lets bob do all that is needed, but for one thing, and nothing else. */
async function allow(mutation: Mutation, places: Places, missing?: readonly [string, string]): Promise<void> {
  for (const [place, { path, isVersion }] of Object.entries(places)) {
    if (isVersion) continue; // its path is that of its document, whose ACLs count
    const { needs, sees = {} } = mutation;
    const granted = [...(needs[place] ?? []), ...(sees[place] ?? [])].filter(
      (permission) => !(missing?.[0] === permission && missing[1] === place),
    );
    const aces = granted.map((permission) => grant('bob', permission));
    await setAcl(server, path, [...aces, deny('Everyone', 'Everything')]);
  }
}

describe.each(Object.entries(mutations))('%s', (id, mutation) => {
  const { make, given, answers, refuses, records, who } = mutation;

  test('answers', async () => {
    const places = await make(server);
    const expected = answers(places);
    const { status, body } = await call(server.request, id, given(places));
    expect([status, body.message]).toEqual([expected ? 200 : 204, undefined]);
    if (expected) expect(body).toMatchObject(expected);
  });

  for (const [permission, place] of needed(mutation))
    test(`needs ${permission} on the ${place}`, async () => {
      const places = await make(server);
      await allow(mutation, places, [permission, place]);
      const events = await eventsOf(async () => {
        const { status, body } = await call(bob, id, given(places));
        expect([status, body.message]).toEqual([403, `Privilege '${permission}' is not granted to 'bob'`]);
      });
      expect(events).toEqual([]);
    });

  if (who)
    test(`needs one of the ${who}`, async () => {
      const places = await make(server);
      const events = await eventsOf(async () => {
        const { status, body } = await call(bob, id, given(places));
        const hidden = [404, `there is no operation ${id}`];
        expect([status, body.message]).toEqual(
          who === 'administrators' ? hidden : [403, expect.stringMatching(/allowed/)],
        );
      });
      expect(events).toEqual([]);
    });

  test('needs no more than that', async () => {
    const places = await make(server);
    await allow(mutation, places);
    if (needed(mutation).length === 0) await call(anonymous, id, given(places)).expect(401);
    const caller = members[who ?? ''] ?? bob;
    const { status, body } = await call(caller, id, given(places));
    expect([status, body.message]).toEqual([answers(places) ? 200 : 204, undefined]);
  });

  test('refuses what is not there, and what it does not take', async () => {
    expect(refuses.length).toBeGreaterThan(0);
    const places = await make(server);
    const events = await eventsOf(async () => {
      const { params = {} } = given(places);
      if (!takesNone(id)) await call(server.request, id, { input: '/nosuch', params }).expect(404);
      const { body } = await call(server.request, id, { ...given(places), params: { ...params, odd: 1 } });
      expect(body).toMatchObject({ status: 400, message: `odd: ${id} has no such parameter` });
      for (const { given: wrong, status, message } of refuses) {
        const refusal = await call(server.request, id, wrong(places));
        expect(refusal.body).toMatchObject({ status, message: expect.stringMatching(message) });
      }
    });
    expect(events).toEqual([]);
  });

  test('records', async () => {
    const places = await make(server);
    let answered: string | undefined;
    const events = await eventsOf(async () => {
      const { body } = await call(server.request, id, given(places));
      answered = (body.entries?.[0] ?? body).uid;
    });
    const about = (place: string) => (place === 'answer' ? answered : (places[place]?.uid ?? null));
    expect(events).toEqual(records.map(([eventId, place]) => [eventId, about(place)]));
  });
});

/** The same, of documents that leave no trace. */
const hidden = ({ params, ...given }: Given): Given => ({
  ...given,
  params: params?.type === 'File' ? { ...params, type: 'HiddenFolder' } : (params ?? {}),
});

const quiet = Object.entries(mutations).filter(
  ([, { isNeverQuiet, records }]) => !isNeverQuiet && records.length > 0,
);

test.each(quiet)('the audit costs %s hardly a statement', async (id, { make, given }) => {
  await call(server.request, id, given(await make(server))); // what is met for the first time costs more
  const [seen, unseen] = [await make(server), await make(server)];
  await server.database.prisma.document.updateMany({
    where: { id: { in: Object.values(unseen).map(({ uid }) => uid) } },
    data: { facets: { push: 'HiddenInNavigation' } },
  });
  let without = 0;
  const events = await eventsOf(async () => {
    without = statements(await call(server.request, id, hidden(given(unseen))));
  });
  expect(events).toEqual([]);
  expect(statements(await call(server.request, id, given(seen)))).toBeLessThanOrEqual(1.3 * without);
});

test('every operation that writes is in the table', () => {
  const writing = operations.filter(({ kind }) => kind === 'mutation').map(({ id }) => id);
  expect(Object.keys(mutations).sort()).toEqual(writing.sort());
});
