import { expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';
import { runCheck } from './check-support.ts';

const server = useServer();

test('§4.3 the check lists ids that differ only in case, which are not faults', async () => {
  expect((await runCheck(server, 'authorities')).note).toMatchObject({ counts: { clashes: 0 }, details: [] });
  const { prisma } = server.database;
  await prisma.user.createMany({ data: [{ id: 'Ann' }, { id: 'ann' }, { id: 'bea' }] });
  await prisma.group.createMany({ data: [{ id: 'BEA' }, { id: 'crowd' }] });
  const { faults, note } = await runCheck(server, 'authorities');
  expect(faults).toEqual([]);
  expect(note).toMatchObject({ counts: { clashes: 2 } });
  const [ann, bea] = note?.details ?? [];
  expect(ann?.message.split(', ').sort()).toEqual(['user Ann', 'user ann']);
  expect(bea?.message).toBe('group BEA, user bea');
});
