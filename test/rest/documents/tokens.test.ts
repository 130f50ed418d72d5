import { describe, expect, test } from '@jest/globals';
import { atPath, createDocument, documentBody } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { change, changedOnce } from './changes.ts';

const server = useServer();

const tokenOf = async (path: string) => (await server.request.get(atPath(path)).expect(200)).body.changeToken;

describe('§2.1 the changeToken', () => {
  test('has a second half that rises with every update', async () => {
    const { path, changeToken } = await createDocument(server);
    expect(changeToken).toBe('0-0');
    for (const expected of ['0-1', '0-2', '0-3']) {
      expect((await server.request.put(atPath(path)).send(change())).body.changeToken).toBe(expected);
    }
    expect(await tokenOf(path)).toBe('0-3');
  });

  test('does not change when an update changes nothing or a child is created', async () => {
    const folder = await createDocument(server, { type: 'Folder', properties: { 'dc:title': 'A' } });
    await server.request
      .put(atPath(folder.path))
      .send(documentBody({ properties: { 'dc:title': 'A' } }))
      .expect(200);
    await createDocument(server, { parent: folder.path });
    expect(await tokenOf(folder.path)).toBe('0-0');
  });

  test('is accepted when it is current, null or absent', async () => {
    const { path } = await createDocument(server);
    for (const token of ['0-0', null, undefined]) {
      await server.request
        .put(atPath(path))
        .send({ ...change(), changeToken: token })
        .expect(200);
    }
  });

  test('is accepted when only its first half is out of date', async () => {
    const { path } = await changedOnce(server);
    await server.request
      .put(atPath(path))
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
  ])('answers 409 when it is out of date or malformed: %j', async (changeToken) => {
    const { path, title } = await changedOnce(server);
    const { body } = await server.request
      .put(atPath(path))
      .send({ ...change(), changeToken })
      .expect(409);
    expect(body).toMatchObject(
      exception(
        409,
        `${path} has changed since it was read: Invalid change token ${changeToken}, the current one is 0-1. Read the document again, or send the change without changeToken to overwrite it.`,
      ),
    );
    expect((await server.request.get(atPath(path))).body).toMatchObject({ title, changeToken: '0-1' });
  });

  test('is checked even when the body changes nothing', async () => {
    const { path } = await changedOnce(server);
    await server.request
      .put(atPath(path))
      .send(documentBody({ changeToken: '0-0' }))
      .expect(409);
  });

  test.each([1, true, {}, ['0-1']])('answers 400 when it is not a string: %j', async (changeToken) => {
    const { path } = await changedOnce(server);
    const { body } = await server.request
      .put(atPath(path))
      .send({ ...change(), changeToken })
      .expect(400);
    expect(body.message).toContain('changeToken');
  });

  test('lets one of ten concurrent updates succeed', async () => {
    const { path } = await createDocument(server);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        server.request.put(atPath(path)).send({ ...change(), changeToken: '0-0' }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await tokenOf(path)).toBe('0-1');
  });
});
