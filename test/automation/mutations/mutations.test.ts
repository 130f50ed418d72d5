/** @group slow, long */
import { beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { operations } from '../../../src/automation/index.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { call } from '../../support/requests.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { as, createUser, useUser } from '../../support/users.ts';
import { mutations } from './index.ts';
import type { Given, Mutation, Places } from './mutation.ts';

const server = useServer();
const bob = useUser(server, 'bob');
let anonymous: TestServer['request'];
const members: Record<string, TestServer['request']> = {};
beforeAll(async () => {
  anonymous = supertest.agent(server.http);
  for (const group of ['administrators', 'powerusers']) {
    await createUser(server, group, [group]);
    members[group] = as(server, group);
  }
});

/** The log entries that `work` writes, as event and document. */
async function eventsOf(work: () => Promise<unknown>): Promise<Array<[string, string | null]>> {
  const { logEntry } = server.database.prisma;
  const last = await logEntry.aggregate({ _max: { id: true } });
  await work();
  const entries = await logEntry.findMany({
    // The journal writes log-ins with a delay.
    where: { id: { gt: last._max.id ?? 0 }, NOT: { category: 'NuxeoAuthentication' } },
    orderBy: { id: 'asc' },
  });
  return entries.map(({ eventId, docUuid }) => [eventId, docUuid]);
}

const needed = ({ needs }: Mutation) =>
  Object.entries(needs).flatMap(([place, permissions]) =>
    permissions.map((permission) => [permission, place] as const),
  );

/** Whether an operation takes no document as its input. */
const takesNone = (id: string): boolean =>
  operations.some(
    (operation) => operation.id === id && !operation.takes.some((kind) => kind.startsWith('document')),
  );

/** Grants bob exactly the permissions that an operation needs, except for the missing one. */
async function allow(mutation: Mutation, places: Places, missing?: readonly [string, string]): Promise<void> {
  for (const [place, { path, isVersion }] of Object.entries(places)) {
    if (isVersion) continue; // it has the path and the ACLs of its document
    const { needs, sees = {} } = mutation;
    const granted = [...(needs[place] ?? []), ...(sees[place] ?? [])].filter(
      (permission) => !(missing?.[0] === permission && missing[1] === place),
    );
    const aces = granted.map((permission) => grant('bob', permission));
    await setAcl(server, path, [...aces, deny('Everyone', 'Everything')]);
  }
}

/** The same call, for documents that are not logged. */
const hidden = ({ params, ...given }: Given): Given => ({
  ...given,
  params: params?.type === 'File' ? { ...params, type: 'HiddenFolder' } : (params ?? {}),
});

/** Hides documents; a legal hold would refuse it meanwhile. */
async function hide(places: Places): Promise<void> {
  const { document } = server.database.prisma;
  const id = { in: Object.values(places).map(({ uid }) => uid) };
  const held = await document.findMany({ where: { id, hasLegalHold: true }, select: { id: true } });
  await document.updateMany({ where: { id }, data: { hasLegalHold: false } });
  await document.updateMany({ where: { id }, data: { facets: { push: 'HiddenInNavigation' } } });
  const again = { in: held.map((row) => row.id) };
  await document.updateMany({ where: { id: again }, data: { hasLegalHold: true } });
}

/** The statements of a call by a caller who is remembered, which is so for a minute. */
async function counted(id: string, given: Given) {
  await server.request.get('/api/v1/me').expect(200);
  const { status, body, headers } = await call(server.request, id, given);
  return { status, body, cost: status < 300 ? statements({ headers }) : Number.NaN };
}

describe.each(Object.entries(mutations))('%s', (id, mutation) => {
  const { make, given, answers, refuses, records, who, isNeverQuiet } = mutation;

  /** Refusals leave them as they are, for the next one and for the call that succeeds. */
  let places: Places;
  beforeAll(async () => {
    places = await make(server);
  });

  for (const [permission, place] of needed(mutation))
    test(`needs ${permission} on the ${place}`, async () => {
      await allow(mutation, places, [permission, place]);
      const events = await eventsOf(async () => {
        const { status, body } = await call(bob, id, given(places));
        expect([status, body.message]).toEqual([
          403,
          expect.stringMatching(`^Privilege '${permission}' is not granted to 'bob' on the document .+\\.$`),
        ]);
      });
      expect(events).toEqual([]);
    });

  if (who)
    test(`needs a member of ${who}`, async () => {
      const events = await eventsOf(async () => {
        const { status, body } = await call(bob, id, given(places));
        expect(status).toBe(403);
        if (who === 'administrators')
          expect(body.message).toBe(`Only administrators can call ${id}; bob is not one.`);
        else expect(body.message).toMatch(/^(Only |Not allowed to edit directory)/);
      });
      expect(events).toEqual([]);
    });

  test('refuses unknown documents, unknown parameters and invalid values', async () => {
    expect(refuses.length).toBeGreaterThan(0);
    const events = await eventsOf(async () => {
      const { params = {} } = given(places);
      if (!takesNone(id)) await call(server.request, id, { input: '/nosuch', params }).expect(404);
      const odd = call(server.request, id, { ...given(places), params: { ...params, odd: 1 } });
      const { body } = await odd.set('Prefer', 'handling=strict');
      expect(body).toMatchObject({ status: 400, message: `${id} has no parameter odd` });
      for (const { given: wrong, status, message } of refuses) {
        const refusal = await call(server.request, id, wrong(places));
        expect([refusal.status, refusal.body.message]).toEqual([status, expect.stringMatching(message)]);
      }
    });
    expect(events).toEqual([]);
  });

  test('needs no further permissions', async () => {
    await allow(mutation, places);
    if (needed(mutation).length === 0) await call(anonymous, id, given(places)).expect(401);
    const caller = members[who ?? ''] ?? bob;
    const { status, body } = await call(caller, id, given(places));
    expect([status, body.message]).toEqual([answers(places) ? 200 : 204, undefined]);
  });

  let logged: number;
  // After others, which fill caches.
  test('answers with the expected entity, or 204, and logs the expected events', async () => {
    const made = await make(server);
    const expected = answers(made);
    let answered: string | undefined;
    const events = await eventsOf(async () => {
      const { status, body, cost } = await counted(id, given(made));
      expect([status, body.message]).toEqual([expected ? 200 : 204, undefined]);
      if (expected) expect(body).toMatchObject(expected);
      answered = (body.entries?.[0] ?? body).uid;
      logged = cost;
    });
    const about = (place: string) => (place === 'answer' ? answered : (made[place]?.uid ?? null));
    expect(events).toEqual(records.map(([eventId, place]) => [eventId, about(place)]));
  });

  if (!isNeverQuiet && records.length > 0)
    test('costs a third more statements for its log entries at most', async () => {
      const unseen = await make(server);
      await hide(unseen);
      const events = await eventsOf(async () => {
        const { cost } = await counted(id, hidden(given(unseen)));
        expect(logged).toBeLessThanOrEqual(1.3 * cost);
      });
      expect(events).toEqual([]);
    });
});

test('the table has every operation that writes', () => {
  const writing = operations.filter(({ kind }) => kind === 'mutation').map(({ id }) => id);
  expect(Object.keys(mutations).sort()).toEqual(writing.sort());
});
