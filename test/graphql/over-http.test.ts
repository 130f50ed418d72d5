import { describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { authorization } from '../support/administrator.ts';
import { createDocument } from '../support/documents.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let address: Promise<string> | undefined;

const audits = serverAudits({
  url: () => {
    address ??= server.listen().then((port) => `http://127.0.0.1:${port}/graphql`);
    return address;
  },
  fetchFn: (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...init.headers, Authorization: authorization } }),
});

describe('GraphQL over HTTP', () => {
  test.each(audits.map(({ name, fn }) => [name, fn] as const))('%s', async (_name, audit) => {
    expect(await audit()).toMatchObject({ status: 'ok' });
  });

  const withVariable = { query: 'query ($path: String!) { document(path: $path) { uid } }' };
  const accepting = { Accept: 'application/graphql-response+json' };
  const send = (body: object, headers: Record<string, string>) =>
    server.request
      .post('/graphql')
      .set(headers)
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => (text += String(part)));
        response.on('end', () => done(null, JSON.parse(text)));
      })
      .send(body);

  test.each([
    ['missing variables', withVariable, {}, 400, 'INVALID'],
    ['variables of another type', { ...withVariable, variables: { path: 1 } }, {}, 400, 'INVALID'],
    ['an unknown repository', { query: '{ __typename }' }, { Repository: 'nosuch' }, 404, 'NOT_FOUND'],
  ])('answers %s without data, with the status of the code', async (_name, sent, headers, status, code) => {
    const response = await send(sent, { ...accepting, ...headers }).expect(status);
    expect(response.type).toBe('application/graphql-response+json');
    expect(response.body).toEqual({ errors: [expect.objectContaining({ extensions: { code } })] });
    expect((await send(sent, headers).expect(200)).body).toEqual(response.body);
  });

  test('sends long data, which is serialized in steps, with the errors of other fields', async () => {
    const text = 'é"'.repeat(100_000);
    const properties = { 'note:note': text };
    const { uid } = await createDocument(server, { type: 'Note', name: 'long', properties });
    const long = `long: document(id: "${uid}") { uid properties(schemas: ["note"]) }`;
    const { body } = await send({ query: `{ ${long} }` }, accepting).expect(200);
    expect(body).toEqual({ data: { long: { uid, properties: expect.objectContaining(properties) } } });
    const response = await send({ query: `{ ${long} other: document { uid } }` }, accepting).expect(200);
    expect(response.type).toBe('application/graphql-response+json');
    expect(response.body).toMatchObject({
      data: { ...body.data, other: null },
      errors: [{ path: ['other'] }],
    });
    expect(Object.keys(response.body).sort()).toEqual(['data', 'errors']);
  });

  test('answers a field that has failed with data and 200', async () => {
    const { body } = await send({ query: '{ document { uid } }' }, accepting).expect(200);
    expect(body.data).toEqual({ document: null });
  });
});
