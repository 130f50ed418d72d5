import { beforeAll, describe, expect, test } from '@jest/globals';
import { enrichers } from '../../../src/enrichers/index.ts';
import type { ModelDefinition } from '../../../src/model/definitions.ts';
import { only, setAcl } from '../../support/acls.ts';
import {
  atId,
  atPath,
  createDocument,
  documentBody,
  missingId,
  readDocument,
  workspaces,
} from '../../support/documents.ts';
import { askGraphql, exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const contribution: Partial<ModelDefinition> = {
  schemas: [
    {
      name: 'letter',
      fields: { priority: { type: 'string', default: 'normal' }, country: 'string', copies: 'string[]' },
    },
  ],
  types: [{ name: 'Letter', parent: 'File', schemas: ['letter'] }],
};

const server = useServer({}, contribution);
const ann = useUser(server, 'ann');
let parentId: string;
beforeAll(async () => {
  parentId = (await readDocument(server.request, workspaces)).uid;
});

const empty = (address: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
  server.request.get(`${address}/@emptyWithDefault`).query(query).set(headers);

const reference = useServer({ COMPATIBILITY: 'reference' });

test('§4.1 @emptyWithDefault: the breadcrumb has no entry for what is not stored, in the other form either', async () => {
  const { body } = await reference.request
    .get(`${atPath(workspaces)}/@emptyWithDefault?type=File`)
    .set('enrichers.document', 'breadcrumb')
    .expect(200);
  const { entries } = body.contextParameters.breadcrumb;
  expect(entries.map(({ path }: { path: string }) => path)).toEqual(['/default-domain', workspaces]);
});

describe('§4.1 GET …/@emptyWithDefault: what a new document begins with', () => {
  test('is a document of the type with its default values, and is not stored', async () => {
    const { body } = await empty(atPath(workspaces), { type: 'Letter' }).expect(200);
    expect(body).toMatchObject({
      'entity-type': 'document',
      repository: 'default',
      uid: null,
      changeToken: null,
      name: '',
      type: 'Letter',
      title: '',
      parentRef: parentId,
      isVersion: false,
      isTrashed: false,
      isCheckedOut: true,
    });
    expect(body.facets).toContain('Versionable');
    expect(body.schemas).toContainEqual({ name: 'letter', prefix: 'letter' });
    expect(body.properties).toMatchObject({
      'letter:priority': 'normal',
      'letter:country': null,
      'letter:copies': [],
      'dc:title': null,
      'dc:creator': null,
      'common:icon': '/icons/file.svg',
    });
    const { body: children } = await server.request.get(`${atPath(workspaces)}/@children`).expect(200);
    expect(children.resultsCount).toBe(0);
  });

  test('may be sent to POST with some of it cleared, and what is not named has its default', async () => {
    const given = {
      type: 'Letter',
      name: 'cleared',
      properties: { 'letter:priority': null, 'common:icon': null },
    };
    const { body: made } = await server.request
      .post(atPath(workspaces))
      .send(documentBody(given))
      .expect(201);
    const { properties } = await readDocument(server.request.set('properties', '*'), made.uid);
    expect(properties).toMatchObject({ 'letter:priority': null, 'common:icon': null });
    const other = await createDocument(server, { type: 'Letter', properties: { 'letter:country': null } });
    expect(other.properties).toMatchObject({});
    for (const { uid } of [made, other]) await server.request.delete(atId(uid)).expect(204);
  });

  test('is found below every address of the parent', async () => {
    const addresses = [
      atId(parentId),
      `/api/v1/repo/default/id/${parentId}`,
      `/api/v1/repo/default/path${workspaces}`,
      `/api/v1/path${workspaces}/`,
    ];
    const { body: expected } = await empty(atPath(workspaces), { type: 'File' }).expect(200);
    for (const address of addresses) expect((await empty(address, { type: 'File' })).body).toEqual(expected);
    const { body } = await empty('/api/v1/path', { type: 'Domain' }).expect(200);
    expect(body).toMatchObject({ type: 'Domain', uid: null });
  });

  test('has the name that is asked for', async () => {
    const { body } = await empty(atPath(workspaces), { type: 'File', name: ' a/b ' }).expect(200);
    expect(body).toMatchObject({ name: 'a-b', path: `${workspaces}/a-b`, title: 'a-b' });
    await empty(atPath(workspaces), { type: 'File', name: '..' }).expect(400);
  });

  test('answers the browser application as its form of a new document asks', async () => {
    const { body, headers } = await empty(
      atPath(workspaces),
      { type: 'Letter' },
      {
        Accept: 'text/plain,application/json, application/json',
        'X-NXproperties': '*',
        'enrichers.document': 'permissions,subtypes,breadcrumb',
        'fetch.document': 'properties',
        'X-NXRepository': 'default',
        'X-Requested-With': 'XMLHttpRequest',
      },
    ).expect(200);
    expect(headers['content-type']).toContain('nuxeo-entity=document');
    expect(headers.etag).toBeUndefined();
    expect(body.properties['letter:priority']).toBe('normal');
    expect(body.contextParameters.permissions).toContain('Everything');
    expect(body.contextParameters.subtypes).toEqual([]);
    const above = body.contextParameters.breadcrumb.entries.map(({ path }: { path: string }) => path);
    expect(above).toEqual(['/', '/default-domain', workspaces]);
  });

  test('has the properties of the schemas that a header names', async () => {
    const headers = { properties: 'letter' };
    const { body } = await empty(atPath(workspaces), { type: 'Letter' }, headers).expect(200);
    expect(Object.keys(body.properties).sort()).toEqual([
      'letter:copies',
      'letter:country',
      'letter:priority',
    ]);
  });

  test('every enricher answers for a document without an id, as for one that has nothing yet', async () => {
    const names = enrichers.document.map(({ name }) => name).join(',');
    const { body } = await empty(
      atId(parentId),
      { type: 'File' },
      { 'enrichers.document': names, depth: 'max', properties: '*' },
    ).expect(200);
    expect(body.contextParameters).toMatchObject({
      audit: [],
      children: { entries: [] },
      collections: [],
      documentURL: null,
      favorites: false,
      firstAccessibleAncestor: { uid: parentId },
      hasContent: false,
      hasFolderishChild: false,
      pendingTasks: [],
      publications: { resultCount: 0 },
      renditions: [],
      runnableWorkflows: [],
      runningWorkflows: [],
      subscribedNotifications: [],
      tags: [],
      thumbnail: { url: null },
    });
    expect(JSON.stringify(body)).not.toContain('00000000-0000');
  });

  test('can be created as it was answered, with a name', async () => {
    const { body } = await empty(atPath(workspaces), { type: 'Letter' }, { properties: '*' }).expect(200);
    const properties = { ...body.properties, 'dc:title': 'Dear' };
    const sent = documentBody({ ...body, name: 'dear', properties });
    const made = await server.request.post(atPath(workspaces)).send(sent).expect(201);
    expect(made.body.properties).toMatchObject({ 'letter:priority': 'normal', 'dc:title': 'Dear' });
    await server.request.delete(atId(made.body.uid)).expect(204);
  });

  test.each([
    ['without a type', {}, 400, 'type is missing.'],
    ['with an empty type', { type: '' }, 400, 'type is missing.'],
    [
      'with an unknown type',
      { type: 'Foo' },
      400,
      'Type: Foo does not exist. GET /api/v1/config/types lists the types.',
    ],
  ])('is refused %s', async (_, query, status, message) => {
    const { body } = await empty(atPath(workspaces), query as Record<string, string>).expect(status);
    expect(body).toMatchObject(exception(status, message));
  });

  test('needs the parent, and Read on it alone', async () => {
    await empty(atPath('/nowhere'), { type: 'File' }).expect(404);
    await empty(atId(missingId), { type: 'File' }).expect(404);
    const { path } = await createDocument(server, { type: 'Folder' });
    const ask = () => ann.get(`${atPath(path)}/@emptyWithDefault?type=File`);
    await setAcl(server, path, only('ann', 'WriteProperties'));
    await ask().expect(403);
    await setAcl(server, path, only('ann', 'Read'));
    const { body } = await ask().set('enrichers.document', 'permissions').expect(200);
    expect(body.contextParameters.permissions).toContain('Read');
    expect(body.contextParameters.permissions).not.toContain('WriteProperties');
    await server.request.delete(atPath(path)).expect(204);
    await server.anonymous.get(`${atPath(workspaces)}/@emptyWithDefault?type=File`).expect(401);
  });

  test('takes no statement more than its parent', async () => {
    const parent = await server.request.get(atId(parentId)).expect(200);
    const made = await empty(atId(parentId), { type: 'File' }).expect(200);
    expect(statements(made)).toBe(statements(parent));
  });

  test('is a field of documents in GraphQL', async () => {
    const { document } = await askGraphql<{ document: { emptyWithDefault: unknown } }>(
      server.request,
      `query ($id: ID!) {
        document(id: $id) { emptyWithDefault(type: "Note", name: "n") { uid path type } }
      }`,
      { id: parentId },
    );
    expect(document.emptyWithDefault).toEqual({
      uid: '00000000-0000-0000-0000-000000000000',
      path: `${workspaces}/n`,
      type: 'Note',
    });
  });
});
