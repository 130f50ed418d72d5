import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import {
  atGroup,
  atUser,
  groupBody,
  groupsOf,
  newName,
  postGroup,
  postUser,
  sidesOf,
} from './authority-requests.ts';

const server = useServer();

const nest = (id: string, memberGroups: readonly string[]) =>
  server.request.put(atGroup(id)).send(groupBody({ id, memberGroups }));

/** Returns all nested groups as pairs of member and outer group. */
async function nested(): Promise<Array<[string, string]>> {
  const rows = await server.database.prisma.groupMembership.findMany();
  return rows.map(({ memberId, groupId }) => [memberId, groupId]);
}

/** Whether a group contains itself, directly or through other groups. */
function hasLoop(pairs: ReadonlyArray<readonly [string, string]>): boolean {
  const above = (id: string, seen: readonly string[]): boolean =>
    seen.includes(id) || pairs.some(([member, group]) => member === id && above(group, [...seen, id]));
  return pairs.some(([member]) => above(member, []));
}

describe('§4.4 nested groups', () => {
  test('make users of an inner group members of the outer groups in extendedGroups only', async () => {
    const user = await postUser(server);
    const inner = await postGroup(server, { memberUsers: [user] });
    const middle = await postGroup(server, { memberGroups: [inner] });
    const outer = await postGroup(server, { memberGroups: [middle] });
    expect(await groupsOf(server, user)).toEqual({ direct: [inner], all: [inner, middle, outer].sort() });
    expect(await sidesOf(server, middle)).toEqual({
      memberUsers: [],
      memberGroups: [inner],
      parentGroups: [outer],
    });
    await nest('administrators', [outer]).expect(200);
    expect((await server.request.get(atUser(user))).body.isAdministrator).toBe(true);
    await nest('administrators', []).expect(200);
    expect((await server.request.get(atUser(user))).body.isAdministrator).toBe(false);
  });

  test.each([1, 2, 3, 6])('refuse a loop of %d with 400 and change nothing', async (length) => {
    const ids = [await postGroup(server)];
    for (let step = 1; step < length; step += 1) {
      ids.push(await postGroup(server, { memberGroups: ids.slice(-1) }));
    }
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    const before = await sidesOf(server, first);
    const response = await nest(first, [last]).expect(400);
    expect(response.body).toMatchObject(exception(400, expect.stringContaining(last)));
    expect(await sidesOf(server, first)).toEqual(before);
  });

  test('can contain a group both directly and through other groups', async () => {
    const inner = await postGroup(server);
    const [left, right] = [
      await postGroup(server, { memberGroups: [inner] }),
      await postGroup(server, { memberGroups: [inner] }),
    ];
    const outer = await postGroup(server, { memberGroups: [left, right, inner] });
    expect((await sidesOf(server, inner)).parentGroups).toEqual([left, right, outer].sort());
  });

  test('can be reversed in two steps', async () => {
    const inner = await postGroup(server);
    const outer = await postGroup(server, { memberGroups: [inner] });
    await nest(outer, []).expect(200);
    await nest(inner, [outer]).expect(200);
    expect(await sidesOf(server, outer)).toMatchObject({ memberGroups: [], parentGroups: [inner] });
  });
});

describe('§4.4 concurrent writes of users and groups', () => {
  test('one of two requests that nest two groups in each other succeeds', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, two] = [await postGroup(server), await postGroup(server)];
      const answers = await Promise.all([nest(one, [two]), nest(two, [one])]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
    expect(hasLoop(await nested())).toBe(false);
  });

  test('one of four requests that form a ring fails', async () => {
    for (let round = 0; round < 4; round += 1) {
      const ids = await Promise.all([1, 2, 3, 4].map(() => postGroup(server)));
      const answers = await Promise.all(ids.map((id, index) => nest(id, [ids[(index + 1) % 4] ?? ''])));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
    }
    expect(hasLoop(await nested())).toBe(false);
  });

  test('nesting, joining, leaving and deleting at once create no loop and no unexpected error', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => postGroup(server)));
    const user = await postUser(server);
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
        return (await server.request.post(atUser(user, `/group/${named(join)}`))).status;
      if (leave !== undefined) {
        return (await server.request.delete(atUser(user, `/group/${named(leave)}`))).status;
      }
      const id = named(remove ?? 0);
      const { status } = await server.request.delete(atGroup(id));
      await server.request.post('/api/v1/group').send(groupBody({ id }));
      return status;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const statuses = await Promise.all(steps.map(run));
        // A body that names a deleted group answers 500 (§7).
        for (const status of statuses) expect([200, 201, 204, 400, 404, 500]).toContain(status);
        expect(hasLoop(await nested())).toBe(false);
      }),
      { numRuns: 12 },
    );
    const faults = server.logged.filter(({ msg }) => msg === 'unexpected error');
    expect(faults).toEqual([]);
  });

  test('a user deleted while added to groups remains in no group', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await postUser(server);
      const groups = await Promise.all([1, 2, 3].map(() => postGroup(server)));
      const answers = await Promise.all([
        ...groups.map((id) => server.request.put(atGroup(id)).send(groupBody({ id, memberUsers: [user] }))),
        server.request.delete(atUser(user)),
        server.request.post(atGroup(groups[0] ?? '', `/user/${user}`)),
      ]);
      for (const { status } of answers) expect([200, 201, 204, 404, 500]).toContain(status);
      await server.request.get(atUser(user)).expect(404);
      for (const id of groups) expect((await sidesOf(server, id)).memberUsers).toEqual([]);
    }
    expect(server.logged.filter(({ msg }) => msg === 'unexpected error')).toEqual([]);
  });

  test('one of three requests that create the same user succeeds, the others answer 409', async () => {
    const username = newName('racer');
    const body = { 'entity-type': 'user', properties: { username, groups: ['members'] } };
    const answers = await Promise.all([1, 2, 3].map(() => server.request.post('/api/v1/user').send(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await groupsOf(server, username)).toMatchObject({ direct: ['members'] });
  });
});
