import { beforeAll } from '@jest/globals';
import { atId } from '../support/documents.ts';
import { pdfOf } from '../support/made-files.ts';
import type { TestServer } from '../support/server.ts';
import { createBinary } from './blobs/blob-requests.ts';
import { comment } from './comments/comment-requests.ts';
import { reviewing } from './workflows/workflow-requests.ts';

export const savedSearch = {
  'entity-type': 'savedSearch',
  title: 'Mine',
  pageProviderName: 'simple_search',
};
const nothing = "SELECT * FROM File WHERE dc:title = 'none'";

const queries: Record<string, object> = {
  '@convert': { type: 'text/plain' },
  '@emptyWithDefault': { type: 'File' },
  '@search': { fullText: 'none' },
};

/** What is read at an address needs these parameters. */
export const queryOf = (address: string): object => queries[/@\w+$/.exec(address)?.[0] ?? ''] ?? {};

/** Addresses of the table of routes with the ids of what is made before the tests. */
export function filledAddresses(server: TestServer) {
  const { request } = server;
  const { start, only } = reviewing(server);

  /** The UUIDs of the fixtures, by the part of a path that names their kind. */
  const ids: Record<string, string> = {};

  /** What is no UUID in the paths of the table. */
  const names: Record<string, string> = {
    ':rendition': 'xmlExport',
    '*xpath': 'file:content',
    ':object': 'File',
    ':ace': 'Administrator%3AEverything%3Atrue%3A%3A%3A',
    ':tag': 'urgent',
    '@comment/external/:entity': '@comment/external/C1',
    '@annotation/external/:entity': '@annotation/external/A1',
    ':name': 'default_search',
  };

  const bulkAction = async (): Promise<string> => {
    const sent = request.post('/api/v1/search/bulk/csvExport').query({ query: nothing }).send({});
    return (await sent.expect(202)).body.commandId;
  };

  /** A document with a workflow and its only task. */
  async function reviewed() {
    const file = { name: 'a.pdf', mimeType: 'application/pdf' };
    const { uid } = await createBinary(server, pdfOf('Hello'), file);
    const { body } = await start('Administrator', 'SerialDocumentReview', [uid]).expect(201);
    return { uid, workflow: body.id, task: (await only(body)).id };
  }

  beforeAll(async () => {
    const { uid, workflow, task } = await reviewed();
    const annotation = await request
      .post(`${atId(uid)}/@annotation`)
      .send({
        'entity-type': 'annotation',
        parentId: uid,
        text: 'Here',
        xpath: 'file:content',
        entityId: 'A1',
        entity: '<a/>',
      })
      .expect(201);
    const version = await request
      .post(`${atId(uid)}/@versions`)
      .send({})
      .expect(201);
    const scheduled = await request
      .post(`${atId(uid)}/@convert`)
      .type('form')
      .send({ type: 'text/plain', async: 'true' })
      .expect(202);
    Object.assign(ids, {
      '/id/:id': uid,
      '/bulk;:matrix': `id=${uid}`,
      '@comment/:comment': (await comment(request, uid, 'Nice', { entityId: 'C1', entity: '<c/>' })).id,
      '@annotation/:comment': annotation.body.id,
      '@versions/:version': version.body.uid,
      ':workflow': workflow,
      ':task': task,
      '/conversion/:id': scheduled.body.conversionId,
      '/conversions/:id': scheduled.body.conversionId,
      '/search/saved/:id': (await request.post('/api/v1/search/saved').send(savedSearch).expect(201)).body.id,
      '/bulk/:id': await bulkAction(),
    });
    names['{/*path}'] = (await request.get(atId(uid)).expect(200)).body.path;
  });

  /** The address of a row, with its UUIDs in this case. */
  const filled = (path: string, written = (id: string): string => id): string =>
    Object.entries({ ...names, ...ids }).reduce((address, [part, value]) => {
      const [given, kept] = [part in ids ? written(value) : value, part.replace(/:\w+$/, '')];
      return address.replace(part, part in ids ? kept + given : given);
    }, path);

  return { filled, reviewed, bulkAction };
}
