import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { call, exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');
const operation = 'Document.CreateLiveProxy';
const given = async () => ({
  input: (await createDocument(server)).uid,
  params: { 'Destination Path': '/default-domain/sections' },
});

// §4.7
describe("'Document.CreateLiveProxy'", () => {
  test('answers 501 with the reason', async () => {
    const { body } = await call(server.request, operation, await given()).expect(501);
    const reason =
      'is not supported, because proxies always show versions. Publish the document, or add it to a collection.';
    expect(body).toMatchObject(exception(501, `${operation} ${reason}`));
  });

  test('needs an administrator', async () => {
    const { body } = await call(bob, operation, await given()).expect(403);
    expect(body.message).toBe(`Only administrators can call ${operation}; bob is not one.`);
  });

  test('refuses a missing destination and a missing input', async () => {
    const { input, params } = await given();
    await call(server.request, operation, { input }).expect(400);
    await call(server.request, operation, { params }).expect(400);
  });
});
