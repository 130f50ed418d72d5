import { describe, expect, test } from '@jest/globals';
import { atPath, createDocument, documentBody, workspaces } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

const create = (name: string, parent = workspaces) =>
  server.request.post(atPath(parent)).send(documentBody({ name, type: 'Folder' }));

describe('§2.1 document names', () => {
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
  ])('%j is stored as %j and can be used in a path', async (given, kept) => {
    const parent = await createDocument(server, { type: 'Folder' });
    const { body } = await create(given, parent.path).expect(201);
    expect(body).toMatchObject({ name: kept, path: `${parent.path}/${kept}`, title: kept });
    const read = await server.request.get(atPath(`${parent.path}/${kept}`)).expect(200);
    expect(read.body).toEqual(body);
    // The stored name works as an inner path segment, too.
    await create('inner', `${parent.path}/${kept}`).expect(201);
    await server.request.get(atPath(`${parent.path}/${kept}/inner`)).expect(200);
    await server.request.delete(atPath(`${parent.path}/${kept}`)).expect(204);
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
  ])('a name longer than 255 bytes is cut at a character boundary', async (given, kept) => {
    const parent = await createDocument(server, { type: 'Folder' });
    const { body } = await create(given, parent.path).expect(201);
    expect(body.name).toBe(kept);
    await server.request.get(atPath(body.path)).expect(200);
  });

  test('names that differ in case or in Unicode normalization are different', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    for (const name of ['a', 'A', 'é', 'e\u0301']) {
      expect((await create(name, parent.path).expect(201)).body.name).toBe(name);
    }
  });
});

describe('§2.1 a name that is already used in the folder', () => {
  test('gets the current milliseconds appended in the new document', async () => {
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
    expect((await server.request.get(atPath(first.body.path))).body.uid).toBe(first.body.uid);
    expect(statements(second)).toBeLessThanOrEqual(8);
  });

  test('can be used in another folder', async () => {
    const [one, other] = [
      await createDocument(server, { type: 'Folder' }),
      await createDocument(server, { type: 'Folder' }),
    ];
    expect((await create('same', one.path)).body.name).toBe('same');
    expect((await create('same', other.path)).body.name).toBe('same');
  });

  test('can be used again when its document is deleted', async () => {
    const { body } = await create('freed').expect(201);
    await server.request.delete(atPath(body.path)).expect(204);
    expect((await create('freed').expect(201)).body.name).toBe('freed');
  });

  test('is compared after trimming and cutting', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    await create('é'.repeat(127), parent.path).expect(201);
    const { body } = await create(` ${'é'.repeat(128)} `, parent.path).expect(201);
    expect(body.name).toMatch(/^é+\.\d+$/);
    expect(Buffer.byteLength(body.name)).toBeLessThanOrEqual(255);
  });

  test('yields twenty different names for twenty concurrent requests', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('crowded', parent.path)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    const paths = new Set(answers.map(({ body }) => body.path));
    expect(paths.size).toBe(20);
    for (const path of paths) expect(path).toMatch(/\/crowded(\.\d+)?$/);
    await Promise.all([...paths].map((path) => server.request.get(atPath(path)).expect(200)));
  });
});
