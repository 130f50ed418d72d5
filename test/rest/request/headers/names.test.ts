import { describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../../support/server.ts';

const server = useServer();

const families = ['enrichers', 'fetch', 'translate'].flatMap((family) =>
  ['document', 'user', 'nosuch'].flatMap((type) => [
    `${family}.${type}`,
    `${family}-${type}`,
    `X-NX${family}.${type}`,
    `X-NX${family}-${type}`,
  ]),
);

describe('§9 enrichers, fetch and translate', () => {
  test.each([...families, 'X-NXContext-Category'])('%s ignores unknown names', async (name) => {
    const plain = await server.request.get('/api/v1/path/default-domain').expect(200);
    for (const response of [
      await server.request.get('/api/v1/path/default-domain').set(name, 'nosuch, ,constructor').expect(200),
      await server.request
        .get('/api/v1/path/default-domain')
        .query({ [name]: 'nosuch' })
        .expect(200),
    ]) {
      const { contextParameters, ...rest } = response.body;
      expect(rest).toEqual(plain.body);
      expect(contextParameters).toEqual(
        /enrichers.document|Category/.test(name.replace('-d', '.d')) ? {} : undefined,
      );
      expect(statements(response)).toBeLessThanOrEqual(2);
    }
  });

  test.each([...families, 'X-NXContext-Category'])(
    '%s with Prefer: handling=strict answers 400 with the unknown name',
    async (name) => {
      for (const call of [
        server.request.get('/api/v1/path/').set(name, 'nosuch'),
        server.request.get('/api/v1/path/').query({ [name]: 'nosuch' }),
      ]) {
        const { body } = await call.set('Prefer', 'handling=strict').expect(400);
        expect(body.message).toContain('nosuch');
        const family = /context/i.test(name)
          ? 'enrichers'
          : (/enrichers|fetch|translate/.exec(name)?.[0] ?? '?');
        expect(body.message).toContain(family);
      }
    },
  );

  test.each([
    ['translate-directoryentry', 'translate.directoryEntry'],
    ['X-NXfetch.directoryEntry', 'fetch.directoryEntry'],
    ['fetch.nosuch', 'fetch.nosuch'],
  ])('the message about %s says %s', async (name, said) => {
    const headers = { [name]: 'foo', Prefer: 'handling=strict' };
    const { body } = await server.request.get('/api/v1/path/').set(headers).expect(400);
    expect(body.message).toBe(`${said}: unknown name foo.`);
  });

  test('empty lists are accepted with handling=strict', async () => {
    const query = { 'enrichers.document': '', 'fetch.document': ' , ' };
    await server.request.get('/api/v1/path/').query(query).set('Prefer', 'handling=strict').expect(200);
  });
});
