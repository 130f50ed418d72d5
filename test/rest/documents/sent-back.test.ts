import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { atPath, createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { everyType } from './every-type.ts';

// Each request of a test uses another port: without a public URL, blob addresses would differ.
const server = useServer({ PUBLIC_URL: 'http://quire.test', ADMIN_PASSWORD: 'another' }, everyType);

const get = async (path: string) => (await server.request.get(atPath(path)).expect(200)).body;

/** Generates the properties of the type Every, except blobs. */
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

describe('§2.1 the answer to GET sent as the body of PUT', () => {
  test('changes nothing', async () => {
    const properties = {
      'dc:title': 'A',
      'dc:subjects': ['art/cinema'],
      'file:content': { content: 'x', name: 'x' },
    };
    const { path } = await createDocument(server, { properties });
    const whole = await get(path);
    const { body } = await server.request.put(atPath(path)).send(whole).expect(200);
    expect(body).toEqual(whole);
    expect(await get(path)).toEqual(whole);
  });

  test('changes nothing in the root', async () => {
    const whole = await get('/');
    expect((await server.request.put(atPath('/')).send(whole).expect(200)).body).toEqual(whole);
  });

  test('changes nothing in partly set complex values and lists', async () => {
    const properties = {
      'ev:part': { text: 'A', inner: {} },
      'ev:parts': [{}, { text: 'B', file: { content: 'x' } }],
      'ev:files': [{ content: 'y', name: 'y' }],
      'ev:day': '2024',
    };
    const { path } = await createDocument(server, { type: 'Every', properties });
    const whole = await get(path);
    const { body } = await server.request.put(atPath(path)).send(whole).expect(200);
    expect(body.changeToken).toBe(whole.changeToken);
    expect(body).toEqual(whole);
  });

  test('changes only the property edited in it', async () => {
    const { path } = await createDocument(server, {
      properties: { 'dc:title': 'A', 'file:content': { content: 'x' } },
    });
    const whole = await get(path);
    whole.properties['dc:title'] = 'B';
    const { body } = await server.request.put(atPath(path)).send(whole).expect(200);
    expect(body).toMatchObject({ title: 'B', changeToken: '0-1' });
    expect(body.properties['file:content'].digest).toBe(whole.properties['file:content'].digest);
  });

  test('changes nothing for generated values', async () => {
    await fc.assert(
      fc.asyncProperty(everyValue, async (properties) => {
        const { path } = await createDocument(server, { type: 'Every', properties });
        const whole = await get(path);
        const { body } = await server.request.put(atPath(path)).send(whole).expect(200);
        expect(body).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });
});
