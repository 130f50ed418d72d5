import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../../support/documents.ts';
import { statements, useServer } from '../../../support/server.ts';

const server = useServer();
let note: DocumentEntity;
beforeAll(async () => {
  note = await createDocument(server, {
    type: 'Note',
    properties: { 'dc:title': 'A note', 'note:note': 'Text' },
  });
});

const address = () => `/api/v1/id/${note.uid}`;

/** Returns the prefixes of the properties that a read with this header returns. */
async function prefixes(properties?: string): Promise<string[]> {
  const call = server.request.get(address());
  const response = await (properties === undefined ? call : call.set('properties', properties)).expect(200);
  return [...new Set(Object.keys(response.body.properties).map((xpath) => xpath.replace(/:.*/, '')))].sort();
}

const all = ['common', 'dc', 'files', 'nxtag', 'note', 'relatedtext', 'uid'].sort();

describe('§9 properties', () => {
  test('all schemas are returned without the header', async () => {
    expect(await prefixes()).toEqual(all);
  });

  test.each(['*', 'dublincore,*', ' * '])('all schemas are returned for "%s"', async (value) => {
    expect(await prefixes(value)).toEqual(all);
  });

  test('a single schema is returned completely, with unset properties', async () => {
    const response = await server.request.get(address()).set('properties', 'note').expect(200);
    expect(response.body.properties).toEqual({ 'note:note': 'Text', 'note:mime_type': null });
  });

  test.each(['dublincore,note', 'note, dublincore', 'note,,dublincore,note'])(
    'several schemas are returned for "%s"',
    async (value) => {
      expect(await prefixes(value)).toEqual(['dc', 'note']);
    },
  );

  test('repeated headers are joined', async () => {
    const response = await server.request
      .get(address())
      .set('properties', ['uid', 'note'] as unknown as string);
    expect(Object.keys(response.body.properties)).toEqual(
      expect.arrayContaining(['uid:major_version', 'note:note']),
    );
    expect(response.body.properties).not.toHaveProperty(['dc:title']);
  });

  test('a schema that the document does not have is ignored', async () => {
    expect(await prefixes('note,picture')).toEqual(['note']);
  });

  test('an unknown schema is ignored', async () => {
    expect(await prefixes('note,nosuch')).toEqual(['note']);
    expect(await prefixes('nosuch')).toEqual([]);
  });

  test('an empty list returns no properties', async () => {
    const response = await server.request.get(address()).query({ properties: '' }).expect(200);
    expect(response.body.properties).toEqual({});
  });

  test('schema names are case-sensitive', async () => {
    expect(await prefixes('NOTE')).toEqual([]);
  });

  test('a prefix is not accepted as a schema name', async () => {
    expect(await prefixes('dc')).toEqual([]);
  });

  test('the fixed fields of a document are always returned', async () => {
    const { body } = await server.request.get(address()).set('properties', 'uid').expect(200);
    expect(body).toMatchObject({ uid: note.uid, title: 'A note', type: 'Note' });
  });

  test('lists of documents apply it without additional SQL statements', async () => {
    const list = '/api/v1/path/default-domain/@children';
    const whole = await server.request.get(list).expect(200);
    const some = await server.request.get(list).set('properties', 'dublincore').expect(200);
    expect(some.body.entries).toHaveLength(whole.body.entries.length);
    for (const { properties } of some.body.entries) {
      expect(Object.keys(properties).every((xpath) => xpath.startsWith('dc:'))).toBe(true);
    }
    expect(statements(some)).toBe(statements(whole));
  });

  test('the answers of POST and PUT apply it', async () => {
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
  ])('an unknown name answers 400 with that name for "%s"', async (prefer) => {
    const response = await server.request
      .get(address())
      .set('Prefer', prefer)
      .set('properties', 'note,nosuch,neither')
      .expect(400);
    expect(response.body.message).toContain('properties');
    expect(response.body.message).toContain('nosuch, neither');
    expect(response.body.message).not.toContain('note');
  });

  test.each(['*', 'note', 'picture', ''])('"%s" is accepted', async (properties) => {
    await server.request.get(address()).set('Prefer', 'handling=strict').query({ properties }).expect(200);
  });

  test.each(['handling=lenient', 'handling=stricter', 'strict', 'nothandling=strict'])(
    'an unknown name is ignored for "%s"',
    async (prefer) => {
      await server.request.get(address()).set('Prefer', prefer).set('properties', 'nosuch').expect(200);
    },
  );

  test('an unknown name prevents a write', async () => {
    await server.request
      .delete(address())
      .set('Prefer', 'handling=strict')
      .set('properties', 'nosuch')
      .expect(400);
    await server.request.get(address()).expect(200);
  });
});
