import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { newFolder } from '../../support/folder.ts';
import { startServer, useServer } from '../../support/server.ts';
import { atDirectory, entryBody } from './directory-requests.ts';

const model = {
  schemas: [
    {
      name: 'currency',
      fields: {
        code: { type: 'string', constraints: { pattern: '[A-Z]{3}' } },
        name: 'string',
        rate: 'double',
        digits: { type: 'long', default: 2, constraints: { min: 0, max: 4 } },
        legal: 'boolean',
        since: 'date',
        parent: 'string',
        pin: 'string',
        ordering: 'long',
        symbols: 'string[]',
        nature: { type: 'string', refersTo: { to: 'directory', directory: 'nature' } },
      },
    },
    { name: 'counter', fields: { id: 'long', title: 'string' } },
  ],
  directories: [
    {
      name: 'currency',
      schema: 'currency',
      idField: 'code',
      parent: 'continent',
      types: ['money'],
      secrets: ['pin'],
      entries: [
        { code: 'EUR', name: 'Euro', rate: 1, legal: true, since: '1999-01-01', ordering: 2, symbols: ['€'] },
        { code: 'CHF', name: 'Franken', rate: 0.95, legal: true, ordering: 1, pin: 'hidden' },
      ],
    },
    { name: 'money', schema: 'currency', idField: 'code', types: ['money'], entries: 'money.csv' },
    { name: 'counter', schema: 'counter', generatedId: true },
    { name: 'secretCounter', schema: 'counter', generatedId: true, system: true },
  ],
};

const csv = `\uFEFFcode,name,rate,digits,legal,since,parent
JPY,Yen,157.5,0,true,1871-06-27,asia

GBP,"Pound, Sterling ""quid""",,,false,,
`;

const dir = newFolder();
await writeFile(join(dir, 'currency.json'), JSON.stringify(model));
await writeFile(join(dir, 'money.csv'), csv);
const server = useServer({ MODEL_DIR: dir });

const unset = {
  name: null,
  rate: null,
  digits: 2,
  legal: null,
  since: null,
  parent: null,
  pin: '',
  ordering: null,
  symbols: [],
  nature: null,
};

describe('§4.5 a contributed directory', () => {
  test('is in the list of directories and is filtered by its types', async () => {
    const names = async (query: string) => {
      const { body } = await server.request.get(`/api/v1/directory${query}`).expect(200);
      return body.entries.map(({ name }: { name: string }) => name);
    };
    expect(await names('?types=money')).toEqual(['currency', 'money']);
    expect(await names('?types=nosuch,money')).toEqual(['currency', 'money']);
    expect(await names('?types=money&types=system')).toEqual(
      expect.arrayContaining(['currency', 'oauth2Clients', 'secretCounter']),
    );
    expect(await names('?types=nosuch')).toEqual([]);
    expect(await names('?types=')).toEqual(await names(''));
    expect(await names('')).toEqual(expect.arrayContaining(['currency', 'money', 'counter', 'nature']));
  });

  test('starts with typed entries; unset fields are null and secrets are empty', async () => {
    const { body } = await server.request.get(atDirectory('currency')).expect(200);
    const [franc, euro] = body.entries;
    expect(body.entries).toHaveLength(2);
    expect(franc).toEqual({
      ...entryBody('currency', { id: 'CHF' }),
      properties: { ...unset, code: 'CHF', name: 'Franken', rate: 0.95, legal: true, ordering: 1 },
    });
    expect(euro.properties).toEqual({
      ...unset,
      code: 'EUR',
      name: 'Euro',
      rate: 1,
      legal: true,
      since: '1999-01-01T00:00:00.000Z',
      ordering: 2,
      symbols: ['€'],
    });
  });

  test('reads typed entries from a CSV file', async () => {
    const { body } = await server.request.get(atDirectory('money')).expect(200);
    expect(body.entries.map(({ properties }: { properties: object }) => properties)).toEqual([
      { ...unset, code: 'GBP', name: 'Pound, Sterling "quid"', legal: false, parent: '', pin: null },
      {
        ...unset,
        pin: null,
        code: 'JPY',
        name: 'Yen',
        rate: 157.5,
        digits: 0,
        legal: true,
        parent: 'asia',
        since: '1871-06-27T00:00:00.000Z',
      },
    ]);
  });

  test('takes the id of an entry from its idField', async () => {
    const made = await server.request
      .post(atDirectory('currency'))
      .send(entryBody('currency', { properties: { code: 'USD', parent: 'north-america' } }))
      .expect(201);
    expect(made.body).toMatchObject({ id: 'USD', properties: { code: 'USD', digits: 2 } });
  });

  test('takes the id of an entry from properties.id, whatever its idField is called (§2.4)', async () => {
    const post = (properties: object) =>
      server.request.post(atDirectory('currency')).send(entryBody('currency', { properties }));
    const made = await post({ id: 'SEK', name: 'Krona' }).expect(201);
    expect(made.body).toMatchObject({ id: 'SEK', properties: { code: 'SEK', name: 'Krona' } });
    expect(made.body.properties).not.toHaveProperty('id');
    await post({ id: 'SEK' }).expect(500);
    await post({ id: 'NOK', code: 'NOK' }).expect(201);
    const other = await post({ id: 'DKK', code: 'ISK' }).expect(400);
    expect(other.body.message).toBe('properties.id: "DKK" differs from "ISK" in properties.code.');
    const list = await post({ id: ['DKK'] }).expect(400);
    expect(list.body.message).toBe('properties.id: an id must be a string or a number');
    const put = (properties: object) =>
      server.request.put(atDirectory('currency', 'SEK')).send(entryBody('currency', { properties }));
    const changed = await put({ id: 'SEK', name: 'Kronor' }).expect(200);
    expect(changed.body.properties).toMatchObject({ code: 'SEK', name: 'Kronor' });
    await put({ id: 'NOK', name: 'x' }).expect(400);
    await put({ id: 'XXX', name: 'x' }).expect(500);
  });

  test.each([{ properties: { code: 'usd!', name: 'Dollar' } }, { id: 'usd!', properties: {} }])(
    'checks the constraints of the id of a new entry: %j',
    async (fields) => {
      const { body } = await server.request
        .post(atDirectory('currency'))
        .send(entryBody('currency', fields))
        .expect(422);
      expect(body.violations).toEqual([
        expect.objectContaining({
          messageKey: 'label.schema.constraint.violation.PatternConstraint',
          invalid_value: 'usd!',
          path: [{ field_name: 'code', is_list_item: false }],
        }),
      ]);
      await server.request.get(atDirectory('currency', 'usd!')).expect(404);
    },
  );

  test('keeps a secret when the empty text is sent back; any other value changes or clears it', async () => {
    const stored = async () => {
      const { properties } = await server.database.prisma.directoryEntry.findUniqueOrThrow({
        where: { directory_id: { directory: 'currency', id: 'CHF' } },
      });
      return (properties as Record<string, unknown>).pin;
    };
    const put = async (pin: unknown) => {
      const body = entryBody('currency', { id: 'CHF', properties: { pin } });
      const response = await server.request.put(atDirectory('currency', 'CHF')).send(body).expect(200);
      expect(response.body.properties.pin).toBe('');
    };
    await put('');
    expect(await stored()).toBe('hidden');
    await put('other');
    expect(await stored()).toBe('other');
    await put(null);
    expect(await stored()).toBeUndefined();
  });

  test('does not recreate deleted initial entries at the next start', async () => {
    await server.request.delete(atDirectory('money', 'JPY')).expect(204);
    await server.request.delete(atDirectory('money', 'GBP')).expect(204);
    expect(await server.database.prisma.directory.count({ where: { name: 'money' } })).toBe(1);
    expect((await server.request.get(atDirectory('money'))).body.entries).toEqual([]);
  });
});

describe('§4.5 generated ids of entries', () => {
  const post = (properties: Record<string, unknown>, directory = 'counter') =>
    server.request.post(atDirectory(directory)).send(entryBody(directory, { properties }));

  test('are consecutive numbers and are never reused', async () => {
    const first = await post({ title: 'one' }).expect(201);
    expect(first.body).toEqual({ ...entryBody('counter', { id: '1' }), properties: { id: 1, title: 'one' } });
    expect((await post({ id: null, title: 'two' }).expect(201)).body.id).toBe('2');
    await server.request.delete(atDirectory('counter', '2')).expect(204);
    expect((await post({ title: 'three' }).expect(201)).body.id).toBe('3');
    expect((await post({}, 'secretCounter').expect(201)).body.id).toBe('1');
  });

  test('replace the ids that clients send', async () => {
    const { body } = await post({ id: 1, title: 'another' }).expect(201);
    expect(body.id).not.toBe('1');
    expect((await server.request.get(atDirectory('counter', '1'))).body.properties.title).toBe('one');
  });

  test('are accepted by PUT as text or as number', async () => {
    const put = (fields: Record<string, unknown>) =>
      server.request.put(atDirectory('counter', '1')).send(entryBody('counter', fields));
    await put({ id: '1', properties: { id: 1, title: 'a' } }).expect(200);
    expect((await put({ id: 1, properties: { title: 'b' } }).expect(200)).body).toMatchObject({
      id: '1',
      properties: { id: 1, title: 'b' },
    });
    await put({ id: 1, properties: { id: 3 } }).expect(400);
    await put({ id: 1, properties: { id: 99 } }).expect(500);
  });

  test('are sorted as numbers in the list', async () => {
    for (let count = 0; count < 10; count += 1) await post({}).expect(201);
    const { body } = await server.request.get(atDirectory('counter')).expect(200);
    const ids: number[] = body.entries.map(({ id }: { id: string }) => Number(id));
    expect(ids.length).toBeGreaterThan(10);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
  });

  test('are unique for concurrent requests', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => post({}).expect(201)));
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(5);
  });
});

describe('§4.5 a contributed directory with a faulty entry', () => {
  test('aborts the start and names the file, the location and the fault', async () => {
    const directories = [{ name: 'words', schema: 'vocabulary', entries: [{ label: 'without id' }] }];
    const folder = newFolder();
    await writeFile(join(folder, 'words.json'), JSON.stringify({ directories }));
    const message = `${join(folder, 'words.json')}: directories.words.entries[0]: properties.id is missing`;
    await expect(startServer({ MODEL_DIR: folder })).rejects.toThrow(message);
  });
});
