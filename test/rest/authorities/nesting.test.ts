import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { start, type TestServer } from '../../support/server.ts';
import {
  createGroup,
  createUser,
  exception,
  groupAt,
  groupBody,
  groupsOf,
  newId,
  sidesOf,
  userAt,
} from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const nest = (id: string, memberGroups: readonly string[]) =>
  server.request.put(groupAt(id)).send(groupBody({ id, memberGroups }));

/** Pairs of member and group, of everything that is nested. */
async function nested(): Promise<Array<[string, string]>> {
  const rows = await server.database.prisma.groupMembership.findMany();
  return rows.map(({ memberId, groupId }) => [memberId, groupId]);
}

/** Whether somewhere a group is in itself, found by walking. */
function hasLoop(pairs: ReadonlyArray<readonly [string, string]>): boolean {
  const above = (id: string, seen: readonly string[]): boolean =>
    seen.includes(id) || pairs.some(([member, group]) => member === id && above(group, [...seen, id]));
  return pairs.some(([member]) => above(member, []));
}

describe('§4.4 groups in groups', () => {
  test('members of an inner group are in the outer ones too, by extendedGroups alone', async () => {
    const user = await createUser(server);
    const inner = await createGroup(server, { memberUsers: [user] });
    const middle = await createGroup(server, { memberGroups: [inner] });
    const outer = await createGroup(server, { memberGroups: [middle] });
    expect(await groupsOf(server, user)).toEqual({ direct: [inner], all: [inner, middle, outer].sort() });
    expect(await sidesOf(server, middle)).toEqual({
      ...{ memberUsers: [], memberGroups: [inner], parentGroups: [outer] },
    });
    await nest('administrators', [outer]).expect(200);
    expect((await server.request.get(userAt(user))).body.isAdministrator).toBe(true);
    await nest('administrators', []).expect(200);
    expect((await server.request.get(userAt(user))).body.isAdministrator).toBe(false);
  });

  test.each([1, 2, 3, 6])('a loop of %d is 400, and nothing changes', async (length) => {
    const ids = [await createGroup(server)];
    for (let step = 1; step < length; step += 1) {
      ids.push(await createGroup(server, { memberGroups: ids.slice(-1) }));
    }
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    const before = await sidesOf(server, first);
    const response = await nest(first, [last]).expect(400);
    expect(response.body).toMatchObject(exception(400, expect.stringContaining(last)));
    expect(await sidesOf(server, first)).toEqual(before);
  });

  test('a group may be in another by two ways', async () => {
    const inner = await createGroup(server);
    const [left, right] = [
      await createGroup(server, { memberGroups: [inner] }),
      await createGroup(server, { memberGroups: [inner] }),
    ];
    const outer = await createGroup(server, { memberGroups: [left, right, inner] });
    expect((await sidesOf(server, inner)).parentGroups).toEqual([left, right, outer].sort());
  });

  test('what was nested can be turned round, one step after the other', async () => {
    const inner = await createGroup(server);
    const outer = await createGroup(server, { memberGroups: [inner] });
    await nest(outer, []).expect(200);
    await nest(inner, [outer]).expect(200);
    expect(await sidesOf(server, outer)).toMatchObject({ memberGroups: [], parentGroups: [inner] });
  });
});

describe('§4.4 writers at once', () => {
  test('of two that nest each in the other one succeeds, and none waits for ever', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, two] = [await createGroup(server), await createGroup(server)];
      const answers = await Promise.all([nest(one, [two]), nest(two, [one])]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
    expect(hasLoop(await nested())).toBe(false);
  });

  test('of four that would make a ring together at least one fails', async () => {
    for (let round = 0; round < 4; round += 1) {
      const ids = await Promise.all([1, 2, 3, 4].map(() => createGroup(server)));
      const answers = await Promise.all(ids.map((id, index) => nest(id, [ids[(index + 1) % 4] ?? ''])));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
    }
    expect(hasLoop(await nested())).toBe(false);
  });

  test('whatever is nested, renamed, joined and deleted at once leaves no loop, and nothing dangling', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => createGroup(server)));
    const user = await createUser(server);
    const index = fc.nat(5);
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ on: index, nest: fc.uniqueArray(index, { maxLength: 3 }) }) },
      { weight: 1, arbitrary: fc.record({ join: index }) },
      { weight: 1, arbitrary: fc.record({ leave: index }) },
      { weight: 1, arbitrary: fc.record({ remove: index }) },
    );
    const named = (at: number): string => ids[at] ?? '';
    const run = async (given: Record<string, unknown>): Promise<number> => {
      const { on, nest: inner, join, leave, remove } = given as Record<string, number> & { nest?: number[] };
      if (inner) return (await nest(named(on ?? 0), (inner as number[]).map(named))).status;
      if (join !== undefined)
        return (await server.request.post(userAt(user, `/group/${named(join)}`))).status;
      if (leave !== undefined) {
        return (await server.request.delete(userAt(user, `/group/${named(leave)}`))).status;
      }
      const id = named(remove ?? 0);
      const { status } = await server.request.delete(groupAt(id));
      await server.request.post('/api/v1/group').send(groupBody({ id }));
      return status;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const statuses = await Promise.all(steps.map(run));
        // 500 is the answer to a body that names a group which is gone (§7).
        for (const status of statuses) expect([200, 201, 204, 400, 404, 500]).toContain(status);
        expect(hasLoop(await nested())).toBe(false);
      }),
      { numRuns: 12 },
    );
    const faults = server.logged.filter(({ msg }) => msg === 'unexpected error');
    expect(faults).toEqual([]);
  }, 60_000);

  test('a user who is deleted while others put him into groups dangles nowhere', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await createUser(server);
      const groups = await Promise.all([1, 2, 3].map(() => createGroup(server)));
      const answers = await Promise.all([
        ...groups.map((id) => server.request.put(groupAt(id)).send(groupBody({ id, memberUsers: [user] }))),
        server.request.delete(userAt(user)),
        server.request.post(groupAt(groups[0] ?? '', `/user/${user}`)),
      ]);
      for (const { status } of answers) expect([200, 201, 204, 404, 500]).toContain(status);
      await server.request.get(userAt(user)).expect(404);
      for (const id of groups) expect((await sidesOf(server, id)).memberUsers).toEqual([]);
    }
    expect(server.logged.filter(({ msg }) => msg === 'unexpected error')).toEqual([]);
  }, 60_000);

  test('of several who create the same user one does, and the others are told', async () => {
    const username = newId('racer');
    const body = { 'entity-type': 'user', properties: { username, groups: ['members'] } };
    const answers = await Promise.all([1, 2, 3].map(() => server.request.post('/api/v1/user').send(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await groupsOf(server, username)).toMatchObject({ direct: ['members'] });
  });
});
