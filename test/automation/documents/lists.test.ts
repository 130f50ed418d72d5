import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const run = (operation: string, input: unknown, params: Record<string, unknown> = {}, who = server.request) =>
  call(who, `Document.${operation}`, { input, params });
const folder = (parent?: string, name?: string) => createDocument(server, { type: 'Folder', parent, name });
const read = ({ uid }: Pick<DocumentEntity, 'uid'>) => readDocument(server.request, uid);
const uidsOf = ({ body }: { body: { entries: DocumentEntity[] } }) => body.entries.map(({ uid }) => uid);

/** A folder with another folder in it. */
async function nested() {
  const top = await folder();
  return { top, inner: await folder(top.path, 'c') };
}

describe('The documents of a list (§4.7)', () => {
  test.each([
    ['Trash', {}],
    ['Move', { name: 'renamed' }],
  ])('are found before %s changes the paths of others', async (id, params) => {
    const { top, inner } = await nested();
    const answer = await run(id, [top.path, inner.path], params).expect(200);
    expect(uidsOf(answer)).toEqual([top.uid, inner.uid]);
    expect((await read(inner)).path).toMatch(`${(await read(top)).path}/`);
  });

  test('are processed once, however often and in whatever form they are named', async () => {
    const { top } = await nested();
    const names = [top.path, top.uid, `${top.path}/`, top.uid.toUpperCase(), `doc:${top.path}`];
    expect(uidsOf(await run('Trash', names).expect(200))).toEqual([top.uid]);
    expect(uidsOf(await run('Untrash', [top.uid, top.uid]).expect(200))).toEqual([top.uid]);
    const target = await folder();
    expect(uidsOf(await run('Move', [top.path, top.path], { target: target.path }).expect(200))).toEqual([
      top.uid,
    ]);
    const { body } = await run('Copy', [top.uid, top.uid], { target: target.path }).expect(200);
    expect(body.entries).toHaveLength(1);
    await run('Delete', [`${target.path}/${top.name}`, top.uid]).expect(204);
  });

  test('are the named versions themselves, and not their documents', async () => {
    const document = await createDocument(server);
    await run('CheckIn', document.uid, { version: 'minor' }).expect(200);
    const { body: version } = await run('GetLastVersion', document.uid).expect(200);
    await run('SetProperty', document.uid, { xpath: 'dc:title', value: 'later' }).expect(200);
    const other = await createDocument(server);
    const write = await run('SetProperty', [document.uid, version.uid], { xpath: 'dc:title', value: 'x' });
    expect([write.status, write.body.message]).toEqual([400, expect.stringContaining('is a version')]);
    expect((await read(document)).title).toBe('later');
    await run('Delete', [version.uid, other.uid]).expect(204);
    expect((await server.request.get(`/api/v1/id/${version.uid}`)).status).toBe(404);
    expect((await read(document)).title).toBe('later');
  });

  test('stay unchanged when one of them, or the target, is missing or forbidden', async () => {
    const [one, two] = [await folder(), await folder()];
    const fault = await run('Lock', [one.path, `${two.path}/nosuch`]).expect(404);
    expect(fault.body.message).toContain(`${two.path}/nosuch`);
    await run('Trash', [one.uid, '/nosuch\u0007']).expect(404);
    await run('Move', [one.uid, two.uid], { target: '/nosuch' }).expect(404);
    await run('Move', [one.uid, ''], { target: '/' }).expect(400);
    await setAcl(server, one.path, [grant('bob', 'Everything')]);
    await setAcl(server, two.path, [deny('bob', 'Everything')]);
    await run('Lock', [one.uid, two.uid], {}, bob).expect(403);
    await run('Delete', [one.uid, two.uid], {}, bob).expect(403);
    const stored = await server.database.prisma.document.findFirstOrThrow({ where: { id: one.uid } });
    expect(stored).toMatchObject({ path: one.path, lockOwner: null, isTrashed: false });
  });

  test('are found and locked with a constant number of statements', async () => {
    const cost = async (count: number, operation: string, params = {}) => {
      const made = await Promise.all(Array.from({ length: count }, () => folder()));
      const answer = await run(
        operation,
        made.map(({ uid, path }, index) => (index % 2 ? path : uid)),
        params,
      );
      expect(answer.status).toBeLessThan(300);
      return statements(answer);
    };
    expect(await cost(8, 'Delete')).toBe(await cost(2, 'Delete'));
    const [two, three, eight] = [await cost(2, 'Lock'), await cost(3, 'Lock'), await cost(8, 'Lock')];
    expect(eight - two).toBe(6 * (three - two));
    expect(two - 2 * (three - two)).toBe(2); // the advisory lock, and the row locks of all
  });

  test('need RemoveChildren on the folder of each to be deleted, at a constant cost', async () => {
    const parent = await folder();
    const barred = await folder();
    const made = (where: DocumentEntity, count: number) =>
      Promise.all(Array.from({ length: count }, () => folder(where.path)));
    await setAcl(server, parent.path, [grant('bob', 'Everything')]);
    const [inside] = await made(barred, 1);
    await setAcl(server, (inside as DocumentEntity).path, [grant('bob', 'Everything')]);
    const [mine] = await made(parent, 1);
    await run('Delete', [mine?.uid, inside?.uid], {}, bob).expect(403);
    const cost = async (count: number) =>
      statements(
        await run(
          'Delete',
          (await made(parent, count)).map(({ uid }) => uid),
          {},
          bob,
        ).expect(204),
      );
    await cost(2);
    expect(await cost(8)).toBe(await cost(2));
    expect((await read(mine as DocumentEntity)).path).toBe(mine?.path);
  });

  test('are not deleted when the root is one of them', async () => {
    const one = await folder();
    await run('Delete', [one.uid, '/']).expect(403);
    expect((await read(one)).uid).toBe(one.uid);
  });
});
