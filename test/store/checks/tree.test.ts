import { expect, test } from '@jest/globals';
import { newMeter } from '../../../src/db/meter.ts';
import { createDocument } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { checkConsistency } from '../consistency.ts';
import { breakBy, faultsOf, runCheck } from './check-support.ts';

const server = useServer();
checkConsistency(server);

const setting = (id: string, values: string) =>
  breakBy(server, `UPDATE document SET ${values} WHERE id = '${id}'`);
const folder = (name: string, parent?: string) => createDocument(server, { type: 'Folder', name, parent });

test('the check finds paths, ancestors and trash flags that do not follow from the parent, and repairs them', async () => {
  const a = await folder('a');
  const b = await folder('b', a.path);
  const note = await createDocument(server, { parent: b.path, name: 'note' });
  const deep = await folder('deep', b.path);
  const gone = await folder('gone');
  const inside = await createDocument(server, { parent: gone.path, name: 'inside' });
  await calling(server)('Document.Trash', gone.uid).expect(200);
  const rows = () =>
    server.database.prisma.document.findMany({ omit: { systemToken: true }, orderBy: { id: 'asc' } });
  const before = await rows();
  expect(await faultsOf(server, 'tree')).toEqual([]);

  await setting(a.uid, `path = '/wrong/a'`);
  await setting(note.uid, `path = '/wrong/a/b/note'`);
  await setting(deep.uid, `ancestor_ids = '{}'`);
  await setting(inside.uid, 'is_trashed = false');
  const found = ['ancestors', 'path', 'path', 'path', 'trash'];
  expect((await faultsOf(server, 'tree')).map((line) => line.split(' ')[0])).toEqual(
    expect.arrayContaining(found),
  );
  const repaired = await runCheck(server, 'tree', { isRepairing: true });
  expect(repaired.faults.every(({ isRepaired }) => isRepaired)).toBe(true);
  expect(await faultsOf(server, 'tree')).toEqual([]);
  expect(await rows()).toEqual(before);
  // What was repaired past the triggers is not in the search index.
  await runCheck(server, 'index', { isRepairing: true });
});

test('the check reports wrong roots, missing parents, cycles and duplicate names, and does not change them', async () => {
  const [one, two] = [await folder('one'), await folder('two')];
  const wanted = async (faults: string[]) => {
    expect(await faultsOf(server, 'tree', { isRepairing: true })).toEqual(faults);
  };
  const where = { repository_id: { repository: 'default', id: one.uid } };
  const before = await server.database.prisma.document.findUniqueOrThrow({ where });
  const restore = () => setting(one.uid, `parent_id = '${before.parentId}', name = 'one'`);

  await setting(one.uid, 'parent_id = NULL');
  await wanted([`root ${one.path}`, `root ${one.path}`]);
  await setting(one.uid, `parent_id = gen_random_uuid()`);
  await wanted([`parent ${one.path}`]);
  await setting(one.uid, `parent_id = id`);
  expect(await faultsOf(server, 'tree', { isRepairing: true })).toContain(`path ${one.path}`);
  await restore();

  const key = 'document_repository_parent_id_name_key';
  await breakBy(server, `DROP INDEX ${key}`);
  await setting(one.uid, `name = 'two', path = '${two.path}'`);
  await wanted([`name ${two.path}`, `name ${two.path}`]);
  await restore();
  await setting(one.uid, `path = '${one.path}'`);
  await breakBy(server, `CREATE UNIQUE INDEX ${key} ON document (repository, parent_id, name)`);
  await runCheck(server, 'index', { isRepairing: true }); // which may have been written in between
});

test('takes as many statements for many documents and faults as for few', async () => {
  const statementsOf = async () => {
    const meter = newMeter();
    await runCheck(server, 'tree', { isRepairing: true, database: server.database.metered(meter) });
    return meter.statements;
  };
  const { path, uid } = await folder('many');
  await setting(uid, `path = '/elsewhere'`);
  const few = await statementsOf();
  for (let index = 0; index < 20; index += 1) await folder(`f${index}`, path);
  await breakBy(
    server,
    `UPDATE document SET path = '/x' || path WHERE ancestor_ids @> ARRAY['${uid}'::uuid]`,
  );
  expect(await statementsOf()).toBe(few);
  expect(await faultsOf(server, 'tree')).toEqual([]);
  await runCheck(server, 'index', { isRepairing: true });
});
