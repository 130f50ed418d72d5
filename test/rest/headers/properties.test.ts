import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';

let server: TestServer;
let note: DocumentEntity;
beforeAll(async () => {
  server = await start();
  note = await createDocument(server, {
    type: 'Note',
    properties: { 'dc:title': 'A note', 'note:note': 'Text' },
  });
});
afterAll(() => server.stop());

const address = () => `/api/v1/id/${note.uid}`;

/** The prefixes of the properties that a read with this header shows. */
async function prefixes(properties?: string): Promise<string[]> {
  const call = server.request.get(address());
  const response = await (properties === undefined ? call : call.set('properties', properties)).expect(200);
  return [...new Set(Object.keys(response.body.properties).map((xpath) => xpath.replace(/:.*/, '')))].sort();
}

const all = ['common', 'dc', 'files', 'nxtag', 'note', 'relatedtext', 'uid'].sort();

describe('§9 properties', () => {
  test('absent: the data of all schemas', async () => {
    expect(await prefixes()).toEqual(all);
  });

  test.each(['*', 'dublincore,*', ' * '])('"%s": the data of all schemas', async (value) => {
    expect(await prefixes(value)).toEqual(all);
  });

  test('one schema: all its data and no other, unset properties included', async () => {
    const response = await server.request.get(address()).set('properties', 'note').expect(200);
    expect(response.body.properties).toEqual({ 'note:note': 'Text', 'note:mime_type': null });
  });

  test.each(['dublincore,note', 'note, dublincore', 'note,,dublincore,note'])(
    'several: "%s"',
    async (value) => {
      expect(await prefixes(value)).toEqual(['dc', 'note']);
    },
  );

  test('the header may be repeated', async () => {
    const response = await server.request
      .get(address())
      .set('properties', ['uid', 'note'] as unknown as string);
    expect(Object.keys(response.body.properties)).toEqual(
      expect.arrayContaining(['uid:major_version', 'note:note']),
    );
    expect(response.body.properties).not.toHaveProperty(['dc:title']);
  });

  test('a schema that the document does not have adds nothing', async () => {
    expect(await prefixes('note,picture')).toEqual(['note']);
  });

  test('a schema that nobody contributed is ignored', async () => {
    expect(await prefixes('note,nosuch')).toEqual(['note']);
    expect(await prefixes('nosuch')).toEqual([]);
  });

  test('an empty list is no schema', async () => {
    const response = await server.request.get(address()).query({ properties: '' }).expect(200);
    expect(response.body.properties).toEqual({});
  });

  test('names of schemas are case-sensitive, as they are in the model', async () => {
    expect(await prefixes('NOTE')).toEqual([]);
  });

  test('a prefix is not the name of its schema', async () => {
    expect(await prefixes('dc')).toEqual([]);
  });

  test('the fixed fields are there whatever the list', async () => {
    const { body } = await server.request.get(address()).set('properties', 'uid').expect(200);
    expect(body).toMatchObject({ uid: note.uid, title: 'A note', type: 'Note' });
  });

  test('a list of documents obeys it, at no cost', async () => {
    const list = '/api/v1/path/default-domain/@children';
    const whole = await server.request.get(list).expect(200);
    const some = await server.request.get(list).set('properties', 'dublincore').expect(200);
    expect(some.body.entries).toHaveLength(whole.body.entries.length);
    for (const { properties } of some.body.entries) {
      expect(Object.keys(properties).every((xpath) => xpath.startsWith('dc:'))).toBe(true);
    }
    expect(statements(some)).toBe(statements(whole));
  });

  test('the answers of POST and PUT obey it', async () => {
    const body = {
      'entity-type': 'document',
      type: 'Note',
      name: 'shaped',
      properties: { 'note:note': 'x' },
    };
    const created = await server.request
      .post('/api/v1/path/')
      .set('properties', 'note')
      .send(body)
      .expect(201);
    expect(created.body.properties).toEqual({ 'note:note': 'x', 'note:mime_type': null });
    const changed = await server.request
      .put('/api/v1/path/shaped')
      .query({ properties: 'note' })
      .send({ 'entity-type': 'document', properties: { 'note:note': 'y' } })
      .expect(200);
    expect(changed.body.properties).toEqual({ 'note:note': 'y', 'note:mime_type': null });
  });
});

describe('§9 properties with Prefer: handling=strict', () => {
  test.each([
    'handling=strict',
    'return=minimal, handling=strict',
    'HANDLING = "strict"',
    'handling=strict; a=b',
  ])('"%s": an unknown name is 400 and is named', async (prefer) => {
    const response = await server.request
      .get(address())
      .set('Prefer', prefer)
      .set('properties', 'note,nosuch,neither')
      .expect(400);
    expect(response.body.message).toContain('properties');
    expect(response.body.message).toContain('nosuch, neither');
    expect(response.body.message).not.toContain('note');
  });

  test.each(['*', 'note', 'picture', ''])('"%s" holds no unknown name', async (properties) => {
    await server.request.get(address()).set('Prefer', 'handling=strict').query({ properties }).expect(200);
  });

  test.each(['handling=lenient', 'handling=stricter', 'strict', 'nothandling=strict'])(
    '"%s" is not strict',
    async (prefer) => {
      await server.request.get(address()).set('Prefer', prefer).set('properties', 'nosuch').expect(200);
    },
  );

  test('refuses a write before anything is written', async () => {
    await server.request
      .delete(address())
      .set('Prefer', 'handling=strict')
      .set('properties', 'nosuch')
      .expect(400);
    await server.request.get(address()).expect(200);
  });
});
