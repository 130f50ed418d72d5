/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../src/rest/routes.ts';
import { mutations } from '../../automation/mutations/index.ts';
import { createDocument, type DocumentEntity, missingId } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { isOperation } from '../operation-routes.ts';
import { explained, operationFaults, rowsOf } from './explain.ts';

const server = useServer();
useUser(server, 'bob');
let folder: DocumentEntity;
let file: DocumentEntity;
let comment: string;
let batch: string;

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder', name: 'walked' });
  file = await createDocument(server, {
    parent: folder.path,
    name: 'a-file',
    properties: { 'file:content': { name: 'a.txt', 'mime-type': 'text/plain', content: 'some text' } },
  });
  const said = await server.request.post(`/api/v1/id/${file.uid}/@comment`).send(bodies.comment).expect(201);
  comment = said.body.id;
  const begun = await server.request.post('/api/v1/upload').expect(201);
  batch = begun.body.batchId;
});

const document = {
  'entity-type': 'document',
  name: 'made',
  type: 'File',
  properties: { 'dc:title': 'Made' },
};
const bodies = {
  comment: { 'entity-type': 'comment', text: 'said' },
  annotation: { 'entity-type': 'annotation', text: 'said', xpath: 'file:content' },
};

/** Bodies of routes, by a part of their path; the first one that suits counts. */
const sent: ReadonlyArray<readonly [RegExp, unknown]> = [
  [/@annotation\/comments/, [missingId]],
  [/@comment/, bodies.comment],
  [/@annotation/, bodies.annotation],
  [/@convert/, { type: 'application/pdf' }],
  [/@bo/, { 'entity-type': 'BusinessAdapter', value: { type: 'File', title: 'x' } }],
  [/@task|^\/task/, { 'entity-type': 'task', id: missingId, comment: '', variables: {} }],
  [
    /workflow/,
    { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview', attachedDocumentIds: [] },
  ],
  [/me\/notifications/, { 'entity-type': 'notifications', byMail: false }],
  [/changepassword/, { oldPassword: 'Administrator', newPassword: 'another' }],
  [/^\/user/, { 'entity-type': 'user', id: 'bob', properties: { username: 'ann' } }],
  [/^\/group/, { 'entity-type': 'group', id: 'team', properties: { groupname: 'team' } }],
  [
    /^\/directory/,
    {
      'entity-type': 'directoryEntry',
      directoryName: 'nature',
      id: 'article',
      properties: { id: 'x', label: 'x' },
    },
  ],
  [
    /^\/search\/saved/,
    {
      'entity-type': 'savedSearch',
      title: 'mine',
      queryParams: 'SELECT * FROM Document',
      queryLanguage: 'NXQL',
    },
  ],
  [/bulkAction/, {}],
  [/webhooks/, { 'entity-type': 'webhook', url: 'https://hooks.example.org/', events: ['documentCreated'] }],
  [/^\/oauth2\/client/, { 'entity-type': 'oauth2Client', id: 'made', name: 'Made' }],
  [/^\/oauth2\/provider/, { 'entity-type': 'nuxeoOAuth2ServiceProvider', serviceName: 'made' }],
  [/^\/oauth2\/token/, { 'entity-type': 'nuxeoOAuth2Token', creationDate: '2026-01-01T00:00:00Z' }],
  [/./, document],
];

/** Where a route asks nothing of the schema: what is wrong is found before. */
const addressOf = (path: string): string =>
  path
    .replace('{/*path}', file.path)
    .replace('/*xpath', '/file:content')
    .replace(':matrix', `id=${file.uid}`)
    .replace(/^(.*)\/id\/:id/, `$1/id/${file.uid}`)
    .replace(':comment', comment)
    .replace(':batch', batch)
    .replace('upload/:batch/:file', `upload/${batch}/0`)
    .replace(':file', '0')
    .replace(':language', 'NXQL')
    .replace(':bulkAction', 'trash')
    .replace(':object', 'BusinessAdapter')
    .replace(':directory', 'nature')
    .replace('/*entry', '/article')
    .replace(/:user\b/g, 'bob')
    .replace(/:group\b/g, 'members')
    .replace(':rendition', 'thumbnail')
    .replace(':name', path.includes('/pp/') ? 'default_search' : 'File')
    .replaceAll(/:\w+/g, missingId);

/** The second part walks the operations. */
const walked = routes.filter((route) => !isOperation(route));

const queryOf = (path: string): string => (/execute$/.test(path) ? '?query=SELECT * FROM Document' : '');

describe('§9 Prefer: explain, on every route', () => {
  test('answers operations that the schema accepts, and changes nothing', async () => {
    const before = await rowsOf(server);
    const faults: unknown[] = [];
    for (const { method, path, body, bodyForm } of walked) {
      const request = server.request[method](`/api/v1${addressOf(path)}${queryOf(path)}`);
      const value = sent.find(([pattern]) => pattern.test(path))?.[1];
      if (bodyForm === 'file')
        request.set('X-File-Name', 'a.txt').type('application/octet-stream').send('bytes');
      else if (bodyForm === 'oneFile') request.attach('file', Buffer.from('bytes'), 'b.txt');
      else if (body) request.send(value as object);
      const found = await explained(request);
      const wrong = operationFaults(found);
      if (found.operations.length === 0 || wrong.length > 0)
        faults.push([method, path, found.status, found.error, wrong]);
    }
    expect(faults).toEqual([]);
    expect(await rowsOf(server)).toEqual(before);
  });

  test('leaves nothing of an operation that writes', async () => {
    const faults: unknown[] = [];
    for (const [id, { make, given, answers }] of Object.entries(mutations)) {
      const places = await make(server);
      const before = JSON.stringify(await rowsOf(server));
      const found = await explained(call(server.request, id, given(places)));
      const after = JSON.stringify(await rowsOf(server));
      const expected = answers(places) === null ? 204 : 200;
      if (found.status !== expected || after !== before || operationFaults(found).length > 0)
        faults.push([id, found.status, found.error, after === before]);
    }
    expect(faults).toEqual([]);
  });
});
