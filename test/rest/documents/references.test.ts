import { describe, expect, test } from '@jest/globals';
import { atPath, createDocument, documentBody } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';

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

  test('are stored as their ids when they are new', async () => {
    const { path } = await createDocument(server);
    const sent = {
      'dc:subjects': [entry('l10nsubjects', 'music')],
      'dc:coverage': [entry('l10ncoverage', 'France')],
    };
    const { body } = await put(path, sent).expect(200);
    expect(body.properties).toMatchObject({ 'dc:subjects': ['music'], 'dc:coverage': 'France' });
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
