import { describe, expect, test } from '@jest/globals';
import type supertest from 'supertest';
import { createDocument, updateDocument } from '../../support/documents.ts';
import { call, calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { newName, userBody } from '../authorities/authority-requests.ts';

const server = useServer();
const run = calling(server);

/** A text that takes more than a quarter of an hour to normalize, since its marks are in no order. */
const marks = `a${'\u0301\u0323'.repeat(500_000)}`;

const addTag = 'mutation ($id: ID!, $label: String!) { addTag(id: $id, label: $label) { label } }';

/** Each way in whose names are normalized. */
const ways: Readonly<Record<string, (uid: string) => supertest.Test>> = {
  'addTag of GraphQL': (id) =>
    server.request.post('/graphql').send({ query: addTag, variables: { id, label: marks } }),
  'Services.TagDocument': (id) => run('Services.TagDocument', id, { tags: [marks] }),
  'the property nxtag:tags': (id) =>
    updateDocument(server.request, id, { 'nxtag:tags': [{ label: marks, username: 'Administrator' }] }),
  'the name of a user': () => server.request.post('/api/v1/user').send(userBody({ username: marks })),
  'the id of an entry of a directory': () =>
    server.request.post('/api/v1/directory/nature').send({
      'entity-type': 'directoryEntry',
      directoryName: 'nature',
      properties: { id: marks, label: newName() },
    }),
  'the name of an event': (id) =>
    call(server.request, 'Audit.LogEvent', { input: id, params: { event: marks } }),
};

describe('§8 a name of a million combining marks', () => {
  // Normalizing it would take far longer than a test may take.
  test.each(Object.entries(ways))('is refused by %s', async (_, send) => {
    const { uid } = await createDocument(server);
    const { status, body } = await send(uid);
    expect(body.errors?.length > 0 || (status >= 400 && status < 500)).toBe(true);
  });

  test('is no tag that can be removed', async () => {
    const { uid } = await createDocument(server);
    await run('Services.UntagDocument', uid, { tags: [marks] }).expect(200);
  });
});
