import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { atPath, createDocument, documentBody } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { everyType } from './every-type.ts';

const server = useServer({}, everyType);

const put = (path: string, properties: Record<string, unknown>) =>
  server.request.put(atPath(path)).send(documentBody({ properties }));

const me = 'Administrator';
const past = '2001-02-03T04:05:06.007Z';

describe('§2.1 Dublin Core on create', () => {
  test('records the time and the user', async () => {
    const before = new Date().toISOString();
    const { properties } = await createDocument(server);
    const after = new Date().toISOString();
    expect(properties).toMatchObject({
      'dc:creator': me,
      'dc:lastContributor': me,
      'dc:contributors': [me],
      'dc:created': properties['dc:modified'],
    });
    expect(properties['dc:created'] as string).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([before, properties['dc:created'], after]).toEqual(
      [before, properties['dc:created'], after].sort(),
    );
  });

  test('keeps values given by an administrator', async () => {
    const given = {
      'dc:created': past,
      'dc:modified': past,
      'dc:creator': 'ada',
      'dc:contributors': ['ada', 'bob'],
      'dc:lastContributor': 'bob',
    };
    const { properties } = await createDocument(server, { properties: given });
    expect(properties).toMatchObject({ ...given, 'dc:contributors': ['ada', 'bob', me] });
  });

  test('treats null and empty lists as not given', async () => {
    const given = {
      'dc:created': null,
      'dc:creator': null,
      'dc:contributors': [],
      'dc:lastContributor': null,
    };
    const { properties } = await createDocument(server, { properties: given });
    expect(properties).toMatchObject({ 'dc:creator': me, 'dc:contributors': [me], 'dc:lastContributor': me });
    expect(properties['dc:created']).toBe(properties['dc:modified']);
  });
});

describe('§2.1 Dublin Core on update', () => {
  test('records the time and the contributor of a change', async () => {
    const given = {
      'dc:created': past,
      'dc:creator': 'ada',
      'dc:contributors': ['ada'],
      'dc:lastContributor': 'ada',
    };
    const { path, properties } = await createDocument(server, {
      properties: { ...given, 'dc:modified': past },
    });
    expect(properties['dc:modified']).toBe(past);
    const before = new Date().toISOString();
    const { body } = await put(path, { 'dc:title': 'A' }).expect(200);
    expect(body.properties).toMatchObject({
      'dc:created': past,
      'dc:creator': 'ada',
      'dc:contributors': ['ada', me],
      'dc:lastContributor': me,
    });
    expect(body.properties['dc:modified'] >= before).toBe(true);
    expect(body.lastModified).toBe(body.properties['dc:modified']);
  });

  test('lists each contributor once', async () => {
    const { path } = await createDocument(server);
    await put(path, { 'dc:title': 'A' });
    expect((await put(path, { 'dc:title': 'B' })).body.properties['dc:contributors']).toEqual([me]);
  });

  test('does not record an update that changes nothing', async () => {
    const { path, properties } = await createDocument(server, {
      properties: { 'dc:title': 'A', 'dc:issued': past },
    });
    await sleep(5);
    const same = [
      {},
      { 'dc:title': 'A' },
      { 'dc:rights': null, 'dc:subjects': [] },
      { 'dc:issued': '2001-02-03T05:05:06.007+01:00' },
      { 'dc:created': properties['dc:created'], 'dc:contributors': [me] },
    ];
    for (const given of same) {
      const { body } = await put(path, given).expect(200);
      expect(body).toMatchObject({ changeToken: '0-0', lastModified: properties['dc:modified'] });
    }
  });

  test('accepts recorded properties from administrators', async () => {
    const { path } = await createDocument(server);
    const given = {
      'dc:created': past,
      'dc:modified': past,
      'dc:creator': 'ada',
      'dc:lastContributor': 'bob',
    };
    const { body } = await put(path, { ...given, 'dc:contributors': ['ada'] }).expect(200);
    expect(body.properties).toMatchObject({ ...given, 'dc:contributors': ['ada', me] });
    expect(body).toMatchObject({ lastModified: past, changeToken: '0-1' });
  });
});

describe('§2.1 documents without recorded changes', () => {
  test('have the facet SystemDocument', async () => {
    const { path, properties } = await createDocument(server, { type: 'Unwatched' });
    expect(properties).toMatchObject({ 'dc:created': null, 'dc:modified': null, 'dc:contributors': [] });
    const { body } = await put(path, { 'dc:title': 'A' }).expect(200);
    expect(body).toMatchObject({ title: 'A', changeToken: '0-1' });
    expect(body.properties).toMatchObject({ 'dc:modified': null, 'dc:lastContributor': null });
    expect(body).not.toHaveProperty('lastModified');
  });

  test('have no schema dublincore', async () => {
    const { path } = await createDocument(server, { type: 'Preset' });
    const { body } = await put(path, { 'pre:text': 'A' }).expect(200);
    expect(body.properties).toEqual({ 'pre:text': 'A', 'pre:count': 0, 'pre:day': expect.any(String) });
  });
});

describe('§2.1 version numbers', () => {
  const numbers = ['uid:major_version', 'uid:minor_version'];

  test.each(numbers)('%s is accepted unchanged, and refused with another value', async (xpath) => {
    const { path } = await createDocument(server, { properties: { [xpath]: 0 } });
    expect((await put(path, { [xpath]: 0 }).expect(200)).body.changeToken).toBe('0-0');
    for (const value of [1, -1, '0', true, null, 0.5]) {
      const { body } = await put(path, { [xpath]: value, 'dc:title': 'A' }).expect(400);
      expect(body).toMatchObject(exception(400, expect.stringContaining(xpath)));
    }
    expect((await server.request.get(atPath(path))).body.changeToken).toBe('0-0');
  });

  test.each(numbers)('%s is ignored by POST, so that the answer to a GET can be its body', async (xpath) => {
    const { properties } = await createDocument(server, { properties: { [xpath]: 1 } });
    expect(properties[xpath]).toBe(0);
  });

  test('uid:uid can be changed like other properties', async () => {
    const { path } = await createDocument(server);
    expect((await put(path, { 'uid:uid': 'INV-1' }).expect(200)).body.properties['uid:uid']).toBe('INV-1');
  });
});
