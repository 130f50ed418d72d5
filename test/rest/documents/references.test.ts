import { describe, expect, test } from '@jest/globals';
import { bulkEnded } from '../../support/bulk.ts';
import { atId, atPath, createDocument, documentBody } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

const put = (path: string, properties: Record<string, unknown>) =>
  server.request.put(atPath(path)).send(documentBody({ properties }));

const entry = (directoryName: string, id: string) => ({
  'entity-type': 'directoryEntry',
  directoryName,
  id,
  properties: { id, label_en: id, obsolete: 0 },
});
const user = (id: string) => ({
  'entity-type': 'user',
  id,
  properties: { username: id },
  extendedGroups: [],
});

describe('§2.1 entities sent in place of ids', () => {
  test('leave the document unchanged when they are the fetched ones', async () => {
    const before = {
      'dc:subjects': ['art/architecture', 'sciences', 'x/music'],
      'dc:coverage': 'europe/France',
      'dc:nature': 'article',
    };
    const { path } = await createDocument(server, { properties: before });
    const sent = {
      'dc:creator': user('Administrator'),
      'dc:contributors': [user('Administrator')],
      'dc:lastContributor': user('Administrator'),
      'dc:subjects': ['architecture', 'sciences', 'music'].map((id) => entry('l10nsubjects', id)),
      'dc:coverage': [entry('l10ncoverage', 'France')],
      'dc:nature': entry('nature', 'article'),
    };
    const { body } = await put(path, sent).expect(200);
    expect(body.properties).toMatchObject(before);
    expect(body.changeToken).toBe('0-0');
  });

  test('stand for the stored value at the same index when several end with the same id', async () => {
    const before = { 'dc:subjects': ['architecture', 'x/architecture', 'art/architecture'] };
    const { path } = await createDocument(server, { properties: before });
    const subjects = before['dc:subjects'].map(() => entry('l10nsubjects', 'architecture'));
    expect((await put(path, { 'dc:subjects': subjects }).expect(200)).body.properties).toMatchObject(before);
  });

  test('keep the parent part of the stored value when they are reordered', async () => {
    const { path } = await createDocument(server, {
      properties: { 'dc:subjects': ['art/music', 'art/cinema'] },
    });
    const subjects = [entry('l10nsubjects', 'cinema'), 'society', entry('l10nsubjects', 'music')];
    const { body } = await put(path, { 'dc:subjects': subjects }).expect(200);
    expect(body.properties['dc:subjects']).toEqual(['art/cinema', 'society', 'art/music']);
  });

  test('do not affect plain ids in the same list', async () => {
    const { path } = await createDocument(server, {
      properties: { 'dc:subjects': ['art/music', 'art/cinema'] },
    });
    const subjects = ['music', entry('l10nsubjects', 'cinema')];
    const { body } = await put(path, { 'dc:subjects': subjects }).expect(200);
    expect(body.properties['dc:subjects']).toEqual(['music', 'art/cinema']);
  });

  test('are stored with the ids of their ancestors when they are new', async () => {
    const { path } = await createDocument(server);
    const sent = {
      'dc:subjects': ['sciences', entry('l10nsubjects', 'music'), entry('l10nsubjects', 'art')],
      'dc:coverage': [entry('l10ncoverage', 'France')],
    };
    const { body } = await put(path, sent).expect(200);
    expect(body.properties).toMatchObject({
      'dc:subjects': ['sciences', 'art/music', 'art'],
      'dc:coverage': 'europe/France',
    });
  });

  test('keep their values in another document, whatever their number, in equal statements', async () => {
    const subjects = ['art/music', 'art/cinema', 'sciences/astronomy', 'society'];
    const { path, uid } = await createDocument(server, { properties: { 'dc:subjects': subjects } });
    const fetched = await server.request.get(atPath(path)).set('fetch.document', 'dc:subjects').expect(200);
    const entities: unknown[] = fetched.body.properties['dc:subjects'];
    const counts: number[] = [];
    for (const count of [1, entities.length]) {
      const { path: other } = await createDocument(server);
      const answer = await put(other, { 'dc:subjects': entities.slice(0, count) }).expect(200);
      expect(answer.body.properties['dc:subjects']).toEqual(subjects.slice(0, count));
      counts.push(statements(answer));
    }
    expect(counts[1]).toBe(counts[0]);
    await put(path, { 'dc:subjects': ['society'] }).expect(200);
    const back = await server.request
      .put(atId(uid))
      .send(documentBody({ properties: fetched.body.properties }));
    expect(back.body.properties['dc:subjects']).toEqual(subjects);
  });

  test('are accepted by POST, too', async () => {
    const { properties } = await createDocument(server, {
      properties: { 'dc:nature': entry('nature', 'article'), 'dc:creator': user('ada') },
    });
    expect(properties).toMatchObject({ 'dc:nature': 'article', 'dc:creator': 'ada' });
  });

  test('must be existing entries of the directory', async () => {
    const { path } = await createDocument(server);
    await put(path, { 'dc:nature': entry('nature', 'nothing') }).expect(422);
  });
});

describe('an empty text', () => {
  test.each([
    ['dc:expired', '2030-01-01T00:00:00.000Z', null],
    ['dc:nature', 'article', null],
    ['dc:coverage', 'europe/France', null],
    ['dc:subjects', ['art'], []],
  ])('clears %s in a PUT, in automation and in a bulk action', async (xpath, value, cleared) => {
    const { path, uid } = await createDocument(server);
    const stored = async () => (await server.request.get(atPath(path)).expect(200)).body.properties[xpath];
    const set = () => put(path, { [xpath]: value }).expect(200);
    await set();
    await put(path, { [xpath]: '' }).expect(200);
    expect(await stored()).toEqual(cleared);
    await set();
    await call(server.request, 'Document.Update', { input: uid, params: { properties: `${xpath}=` } }).expect(
      200,
    );
    expect(await stored()).toEqual(cleared);
    await set();
    const query = `SELECT * FROM File WHERE ecm:uuid = '${uid}'`;
    const started = await server.request
      .post('/api/v1/search/bulk/setProperties')
      .query({ query })
      .send({ [xpath]: '' })
      .expect(202);
    const ended = await bulkEnded(server.request, started.body.commandId);
    expect(ended).toMatchObject({ state: 'COMPLETED', errorCount: 0 });
    expect(await stored()).toEqual(cleared);
  });

  test('is dropped from a list of entries', async () => {
    const { path } = await createDocument(server);
    const { body } = await put(path, { 'dc:subjects': ['', 'art', ''] }).expect(200);
    expect(body.properties['dc:subjects']).toEqual(['art']);
  });
});

describe('§10.1 dc:coverage sent as a list', () => {
  test('is set by a list of one value and cleared by an empty list', async () => {
    const { path } = await createDocument(server);
    const set = await put(path, { 'dc:coverage': ['europe/France'] }).expect(200);
    expect(set.body.properties['dc:coverage']).toBe('europe/France');
    const cleared = await put(path, { 'dc:coverage': [] }).expect(200);
    expect(cleared.body.properties['dc:coverage']).toBeNull();
  });

  test('is refused with two values', async () => {
    const { path } = await createDocument(server);
    const { body } = await put(path, { 'dc:coverage': ['europe', 'africa'] }).expect(400);
    expect(body.message).toContain('dc:coverage');
  });
});
