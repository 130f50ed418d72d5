import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import { at, entity, exception, workspaces } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const create = (name: string, parent = workspaces) =>
  server.request.post(at(parent)).send(entity({ name, type: 'Folder' }));

describe('§2.1 names', () => {
  test.each([
    ['two words', 'two words'],
    ['  around\u00a0 ', 'around'],
    ['a/b\\c', 'a-b-c'],
    ['/', '-'],
    ['../..', '..-..'],
    ['...', '...'],
    ['.hidden', '.hidden'],
    ['name.with.dots', 'name.with.dots'],
    ['UPPER lower', 'UPPER lower'],
    ['é', 'é'],
    ['e\u0301', 'e\u0301'],
    ['日本語', '日本語'],
    ['👩‍👩‍👧‍👦.txt', '👩‍👩‍👧‍👦.txt'],
    ['مرحبا\u200f', 'مرحبا\u200f'],
    ['[1] {2} (3) <4>', '[1] {2} (3) <4>'],
    ['@children', '@children'],
    ['a@b', 'a@b'],
    ['a;b=c', 'a;b=c'],
    ['a#b', 'a#b'],
    ['a?b&c=d', 'a?b&c=d'],
    ['100%', '100%'],
    ['%2F', '%2F'],
    ['%zz', '%zz'],
    ['a+b', 'a+b'],
    [`'";--`, `'";--`],
    ['*', '*'],
    ['~', '~'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
    ['null', 'null'],
    ['-', '-'],
    ['a:b|c', 'a:b|c'],
  ])('%j is kept as %j and can be addressed', async (given, kept) => {
    const parent = await createDocument(server, { type: 'Folder' });
    const { body } = await create(given, parent.path).expect(201);
    expect(body).toMatchObject({ name: kept, path: `${parent.path}/${kept}`, title: kept });
    const read = await server.request.get(at(`${parent.path}/${kept}`)).expect(200);
    expect(read.body).toEqual(body);
    // What is below it is found through it, too.
    await create('inner', `${parent.path}/${kept}`).expect(201);
    await server.request.get(at(`${parent.path}/${kept}/inner`)).expect(200);
    await server.request.delete(at(`${parent.path}/${kept}`)).expect(204);
  });

  test.each([
    ['.', 'path segment'],
    ['..', 'path segment'],
    [' .. ', 'path segment'],
    ['a\tb', 'control character'],
    ['a\nb', 'control character'],
    ['\u007f', 'control character'],
    ['\u0085', 'control character'],
    ['a\0b', 'NUL'],
    ['a\ud800', 'surrogate'],
  ])('%j is refused', async (name, why) => {
    const { body } = await create(name).expect(400);
    expect(body).toMatchObject(exception(400, expect.stringContaining(why)));
  });

  test.each([
    ['a'.repeat(255), 'a'.repeat(255)],
    ['a'.repeat(256), 'a'.repeat(255)],
    ['é'.repeat(200), 'é'.repeat(127)],
    ['€'.repeat(100), '€'.repeat(85)],
    [`a${'😀'.repeat(100)}`, `a${'😀'.repeat(63)}`],
    [`${'a'.repeat(254)} b`, 'a'.repeat(254)],
    ['x'.repeat(100_000), 'x'.repeat(255)],
  ])('what is longer than 255 bytes is cut between two characters', async (given, kept) => {
    const parent = await createDocument(server, { type: 'Folder' });
    const { body } = await create(given, parent.path).expect(201);
    expect(body.name).toBe(kept);
    await server.request.get(at(body.path)).expect(200);
  });

  test('upper and lower case, and other forms of one letter, are different names', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    for (const name of ['a', 'A', 'é', 'e\u0301']) {
      expect((await create(name, parent.path).expect(201)).body.name).toBe(name);
    }
  });
});

describe('§2.1 names that are taken', () => {
  test('are followed by milliseconds, and the create succeeds', async () => {
    const before = Date.now();
    const first = await create('taken').expect(201);
    const second = await create('taken').expect(201);
    const [, milliseconds = ''] = /^taken\.(\d+)$/.exec(second.body.name) ?? [];
    expect(Number(milliseconds)).toBeGreaterThanOrEqual(before);
    expect(Number(milliseconds)).toBeLessThanOrEqual(Date.now());
    expect(second.body).toMatchObject({
      path: `${workspaces}/${second.body.name}`,
      title: second.body.name,
    });
    expect((await server.request.get(at(first.body.path))).body.uid).toBe(first.body.uid);
    expect(statements(second)).toBeLessThanOrEqual(8);
  });

  test('are taken in one folder only', async () => {
    const [one, other] = [
      await createDocument(server, { type: 'Folder' }),
      await createDocument(server, { type: 'Folder' }),
    ];
    expect((await create('same', one.path)).body.name).toBe('same');
    expect((await create('same', other.path)).body.name).toBe('same');
  });

  test('are free again once their document is deleted', async () => {
    const { body } = await create('freed').expect(201);
    await server.request.delete(at(body.path)).expect(204);
    expect((await create('freed').expect(201)).body.name).toBe('freed');
  });

  test('are found taken after trimming and cutting', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    await create('é'.repeat(127), parent.path).expect(201);
    const { body } = await create(` ${'é'.repeat(128)} `, parent.path).expect(201);
    expect(body.name).toMatch(/^é+\.\d+$/);
    expect(Buffer.byteLength(body.name)).toBeLessThanOrEqual(255);
  });

  test('of twenty creates at once all succeed, each under a name of its own', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('crowded', parent.path)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    const paths = new Set(answers.map(({ body }) => body.path));
    expect(paths.size).toBe(20);
    for (const path of paths) expect(path).toMatch(/\/crowded(\.\d+)?$/);
    await Promise.all([...paths].map((path) => server.request.get(at(path)).expect(200)));
  });
});
