import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import { start, type TestServer } from '../../support/server.ts';
import { at, entity, exception } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

let titles = 0;
const change = () => {
  titles += 1;
  return entity({ properties: { 'dc:title': `title ${titles}` } });
};

/** A document that was changed once, so that it is at 0-1. */
async function changedOnce(): Promise<DocumentEntity> {
  const { path } = await createDocument(server);
  return (await server.request.put(at(path)).send(change()).expect(200)).body;
}

const tokenOf = async (path: string) => (await server.request.get(at(path)).expect(200)).body.changeToken;

describe('§2.1 the changeToken', () => {
  test('rises in its second half with every change of a user', async () => {
    const { path, changeToken } = await createDocument(server);
    expect(changeToken).toBe('0-0');
    for (const expected of ['0-1', '0-2', '0-3']) {
      expect((await server.request.put(at(path)).send(change())).body.changeToken).toBe(expected);
    }
    expect(await tokenOf(path)).toBe('0-3');
  });

  test('stays when nothing changes, and when a child is made', async () => {
    const folder = await createDocument(server, { type: 'Folder', properties: { 'dc:title': 'A' } });
    await server.request
      .put(at(folder.path))
      .send(entity({ properties: { 'dc:title': 'A' } }))
      .expect(200);
    await createDocument(server, { parent: folder.path });
    expect(await tokenOf(folder.path)).toBe('0-0');
  });

  test('that is current lets a change pass; null and absent ones too', async () => {
    const { path } = await createDocument(server);
    for (const token of ['0-0', null, undefined]) {
      await server.request
        .put(at(path))
        .send({ ...change(), changeToken: token })
        .expect(200);
    }
  });

  test('of which only the first half is out of date lets a change pass', async () => {
    const { path } = await changedOnce();
    await server.request
      .put(at(path))
      .send({ ...change(), changeToken: '7-1' })
      .expect(200);
  });

  test.each([
    '0-0',
    '0-2',
    '1-0',
    '',
    '1',
    '0-',
    '-1',
    '0-1-1',
    ' 0-1',
    '0-1 ',
    '0-01',
    'x',
    'x-1',
    '0-1/0-1',
    '0-١',
  ])('that is out of date or malformed is a conflict: %j', async (changeToken) => {
    const { path, uid, title } = await changedOnce();
    const { body } = await server.request
      .put(at(path))
      .send({ ...change(), changeToken })
      .expect(409);
    expect(body).toMatchObject(exception(409, `${uid}, Invalid change token`));
    expect((await server.request.get(at(path))).body).toMatchObject({ title, changeToken: '0-1' });
  });

  test('is looked at even when the body changes nothing', async () => {
    const { path } = await changedOnce();
    await server.request
      .put(at(path))
      .send(entity({ changeToken: '0-0' }))
      .expect(409);
  });

  test.each([1, true, {}, ['0-1']])('that is no string is refused: %j', async (changeToken) => {
    const { path } = await changedOnce();
    const { body } = await server.request
      .put(at(path))
      .send({ ...change(), changeToken })
      .expect(400);
    expect(body.message).toContain('changeToken');
  });

  test('of ten editors at once lets one pass', async () => {
    const { path } = await createDocument(server);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        server.request.put(at(path)).send({ ...change(), changeToken: '0-0' }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await tokenOf(path)).toBe('0-1');
  });
});
