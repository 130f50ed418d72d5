import { beforeAll, describe, expect, test } from '@jest/globals';
import { newMeter } from '../../../src/db/meter.ts';
import { accountOf } from '../../../src/loaders/authorities/account.ts';
import { principals } from '../../../src/security/principal.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
beforeAll(async () => {
  const { prisma } = server.database;
  await prisma.user.createMany({ data: ['ann', 'ben', 'eve'].map((id) => ({ id })) });
  await prisma.group.createMany({ data: ['a', 'b', 'c', 'd', 'other'].map((id) => ({ id })) });
  await prisma.userMembership.createMany({
    data: [
      { memberId: 'ann', groupId: 'a' },
      { memberId: 'ben', groupId: 'd' },
    ],
  });
  // Two paths lead from a to d, and one from d to the administrators.
  const nested = [
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'd'],
    ['c', 'd'],
    ['d', 'administrators'],
  ] as const;
  await prisma.groupMembership.createMany({
    data: nested.map(([memberId, groupId]) => ({ memberId, groupId })),
  });
});

describe('The account of a user', () => {
  test.each([
    ['ann', ['a', 'administrators', 'b', 'c', 'd']],
    ['ben', ['administrators', 'd']],
    ['eve', []],
    ['Administrator', ['administrators']],
  ])('of %s has all direct and indirect groups, each once', async (id, groups) => {
    expect(await accountOf(server.database, id, server.services)).toMatchObject({ id, groups });
  });

  test('costs one statement', async () => {
    const meter = newMeter();
    await accountOf(server.database.metered(meter), 'ann', server.services);
    expect(meter.statements).toBe(1);
  });

  test.each(['nobody', '', 'ann\0', 'ANN'])('does not exist for %p', async (id) => {
    expect(await accountOf(server.database, id, server.services)).toBeNull();
  });

  test('is deleted with the user, memberships included', async () => {
    const { prisma } = server.database;
    await prisma.user.create({ data: { id: 'gone', groups: { create: { groupId: 'a' } } } });
    await prisma.user.delete({ where: { id: 'gone' } });
    expect(await accountOf(server.database, 'gone', server.services)).toBeNull();
    expect(await prisma.userMembership.count({ where: { memberId: 'gone' } })).toBe(0);
  });

  test('loses a deleted group and the groups that only it led to', async () => {
    const { prisma } = server.database;
    await prisma.group.create({
      data: { id: 'bridge', users: { create: { memberId: 'eve' } }, groups: { create: { groupId: 'd' } } },
    });
    expect(await accountOf(server.database, 'eve', server.services)).toMatchObject({
      groups: ['administrators', 'bridge', 'd'],
    });
    await prisma.group.delete({ where: { id: 'bridge' } });
    expect(await accountOf(server.database, 'eve', server.services)).toMatchObject({ groups: [] });
  });
});

describe('A principal', () => {
  const principalOf = principals('root');
  test.each([
    ['root', [], true],
    ['ann', ['administrators'], true],
    ['ann', ['members', 'administrators'], true],
    ['ann', ['members', 'powerusers'], false],
    ['administrators', [], false],
    ['Root', [], false],
  ])('%s with groups %j is an administrator: %p', (id, groups, isAdministrator) => {
    expect(principalOf({ id, groups })).toEqual({ id, groups, isAdministrator });
  });
});

describe('§5 a member of administrators', () => {
  test('has the permissions of an administrator', async () => {
    const { prisma } = server.database;
    const { passwordHash } = await prisma.user.findUniqueOrThrow({ where: { id: 'Administrator' } });
    await prisma.user.update({ where: { id: 'ben' }, data: { passwordHash } });
    await prisma.user.update({ where: { id: 'eve' }, data: { passwordHash } });
    await server.anonymous.get('/api/v1/path/').auth('ben', 'Administrator').expect(200);
    await server.anonymous.get('/api/v1/path/').auth('eve', 'Administrator').expect(403);
  });
});
