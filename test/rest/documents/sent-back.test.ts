import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocument } from '../../support/factories.ts';
import type { TestServer } from '../../support/server.ts';
import { everyType } from './every-type.ts';
import { at, startWithModel } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  // Every request of a test is to another port, which would show in the addresses of blobs.
  server = await startWithModel(everyType, { PUBLIC_URL: 'http://quire.test' });
});
afterAll(() => server.stop());

const get = async (path: string) => (await server.request.get(at(path)).expect(200)).body;

/** Properties of the type Every but its blobs. */
const text = fc.string({ unit: 'binary', maxLength: 20 }).map((given) => given.replaceAll('\0', '-'));
const years = { min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
const day = fc.date(years).map((date) => date.toISOString());
const everyValue = fc.record(
  {
    'ev:text': fc.option(text),
    'ev:count': fc.option(fc.maxSafeInteger()),
    'ev:size': fc.double({ noNaN: true, noDefaultInfinity: true }),
    'ev:isDone': fc.option(fc.boolean()),
    'ev:texts': fc.array(text, { maxLength: 3 }),
    'ev:sizes': fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 3 }),
    'ev:days': fc.array(day, { maxLength: 3 }),
    'ev:part': fc.option(fc.record({ text: fc.option(text), days: fc.array(day) }, { requiredKeys: [] })),
    'ev:parts': fc.array(fc.record({ text: fc.option(text) }, { requiredKeys: [] }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

describe('§2.1 the answer to a GET as the body of a PUT', () => {
  test('changes nothing', async () => {
    const properties = {
      'dc:title': 'A',
      'dc:subjects': ['art/cinema'],
      'file:content': { content: 'x', name: 'x' },
    };
    const { path } = await createDocument(server, { properties });
    const whole = await get(path);
    const { body } = await server.request.put(at(path)).send(whole).expect(200);
    expect(body).toEqual(whole);
    expect(await get(path)).toEqual(whole);
  });

  test('changes nothing of the root either', async () => {
    const whole = await get('/');
    expect((await server.request.put(at('/')).send(whole).expect(200)).body).toEqual(whole);
  });

  test('changes nothing of what is only partly set', async () => {
    const properties = {
      'ev:part': { text: 'A', inner: {} },
      'ev:parts': [{}, { text: 'B', file: { content: 'x' } }],
      'ev:files': [{ content: 'y', name: 'y' }],
      'ev:day': '2024',
    };
    const { path } = await createDocument(server, { type: 'Every', properties });
    const whole = await get(path);
    const { body } = await server.request.put(at(path)).send(whole).expect(200);
    expect(body.changeToken).toBe(whole.changeToken);
    expect(body).toEqual(whole);
  });

  test('changes just what was changed in it', async () => {
    const { path } = await createDocument(server, {
      properties: { 'dc:title': 'A', 'file:content': { content: 'x' } },
    });
    const whole = await get(path);
    whole.properties['dc:title'] = 'B';
    const { body } = await server.request.put(at(path)).send(whole).expect(200);
    expect(body).toMatchObject({ title: 'B', changeToken: '0-1' });
    expect(body.properties['file:content'].digest).toBe(whole.properties['file:content'].digest);
  });

  test('changes nothing whatever the values', async () => {
    await fc.assert(
      fc.asyncProperty(everyValue, async (properties) => {
        const { path } = await createDocument(server, { type: 'Every', properties });
        const whole = await get(path);
        const { body } = await server.request.put(at(path)).send(whole).expect(200);
        expect(body).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });
});
