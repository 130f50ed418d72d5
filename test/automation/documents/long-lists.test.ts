import { describe, expect, test } from '@jest/globals';
import { createDocument, updateDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const place = { to: 'directory', directory: 'place', separator: '::' } as const;
const entries = ['land', 'town', 'other'].map((id) => ({ id, label: id }));
const server = useServer(
  {},
  {
    schemas: [
      {
        name: 'long',
        fields: {
          texts: { type: 'string[]', long: true },
          parts: { type: 'complex[]', fields: { a: 'string', b: 'long' } },
          places: { type: 'string[]', refersTo: place },
        },
      },
    ],
    types: [{ name: 'Long', parent: 'Folder', schemas: ['long'] }],
    directories: [{ name: 'place', schema: 'vocabulary', entries }],
  },
);

const count = 25_000;
const texts = (from: number) => Array.from({ length: count }, (_, at) => `text ${from + at}`);

/** Quadratic work would take minutes; a busy machine takes longer, but computes no more. */
async function withLittleCpu<T>(work: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
  return result;
}

const update = (uid: string, properties: object, behavior: string) =>
  call(server.request, 'Document.Update', {
    input: uid,
    params: { properties, propertiesBehaviors: { [Object.keys(properties)[0] ?? '']: behavior } },
  }).expect(200);

const listOf = async (uid: string, xpath: string) => {
  const { body } = await server.request.get(`/api/v1/id/${uid}`).set('properties', 'long').expect(200);
  return body.properties[xpath] as unknown[];
};

describe('Long lists of callers (§4.1, §4.7)', () => {
  test('are joined with those of documents, without duplicates', async () => {
    const { uid } = await createDocument(server, { type: 'Long', properties: { 'long:texts': texts(0) } });
    const given = [...texts(count / 2), ...texts(0).slice(0, 10), 'twice', 'twice'];
    await withLittleCpu(() => update(uid, { 'long:texts': given }, 'append_excluding_duplicates'));
    expect(await listOf(uid, 'long:texts')).toEqual([
      ...texts(0),
      ...texts(count / 2).slice(count / 2),
      'twice',
    ]);
  });

  test('are joined by the fields of their items, in any order of these', async () => {
    const { uid } = await createDocument(server, {
      type: 'Long',
      properties: { 'long:parts': [{ a: 'x', b: 1 }, { b: 2 }] },
    });
    const given = [{ b: 1, a: 'x' }, { b: 2, a: null }, { a: 'x' }, { a: '1' }];
    await update(uid, { 'long:parts': given }, 'append_excluding_duplicates');
    const part = (a: string | null, b: number | null) => ({ a, b });
    expect(await listOf(uid, 'long:parts')).toEqual([
      part('x', 1),
      part(null, 2),
      part('x', null),
      part('1', null),
    ]);
  });

  test('have items changed and taken out by their numbers, one after the other', async () => {
    const [long, many] = [99_000, 9_000];
    const { uid } = await createDocument(server, {
      type: 'Long',
      properties: { 'long:texts': Array.from({ length: long }, () => 'a') },
    });
    const changes = Array.from({ length: many }, (_, at) => [`long:texts/${at}`, `b${at}`]);
    const body = { ...Object.fromEntries(changes), 'long:texts/0': null, 'long:texts[0]': 'first' };
    await withLittleCpu(() => updateDocument(server.request, uid, body).expect(200));
    const found = await listOf(uid, 'long:texts');
    expect(found).toHaveLength(long - 1);
    expect([0, 1, many - 1, many].map((at) => found[at])).toEqual(['first', 'b1', `b${many - 1}`, 'a']);
  });

  const entity = (id: string) => ({ 'entity-type': 'directoryEntry', id });

  test('get the parents of their values back, of which entities have the last part alone', async () => {
    const places = ['land::town', 'other', 'land', 'land::town'];
    const { uid } = await createDocument(server, { type: 'Long', properties: { 'long:places': places } });
    const sent = ['other', 'town', 'town', 'land', 'other'].map(entity);
    await updateDocument(server.request, uid, { 'long:places': sent }).expect(200);
    expect(await listOf(uid, 'long:places')).toEqual(['other', 'land::town', 'land::town', 'land', 'other']);
  });

  test('are entities that the document has at another place', async () => {
    const long = 30_000;
    const places = Array.from({ length: long }, (_, at) => (at === long - 1 ? 'other' : 'land::town'));
    const { uid } = await createDocument(server, { type: 'Long', properties: { 'long:places': places } });
    const sent = places.map(() => entity('other'));
    await withLittleCpu(() => updateDocument(server.request, uid, { 'long:places': sent }).expect(200));
    expect(new Set(await listOf(uid, 'long:places'))).toEqual(new Set(['other']));
  });
});
