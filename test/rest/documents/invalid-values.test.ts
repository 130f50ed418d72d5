import { describe, expect, test } from '@jest/globals';
import { atPath, createDocument, documentBody, workspaces } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { everyType } from './every-type.ts';

const server = useServer({}, everyType);
let count = 0;

const create = (properties: Record<string, unknown>, type = 'Every') => {
  count += 1;
  return server.request.post(atPath(workspaces)).send(documentBody({ name: `p${count}`, type, properties }));
};

describe('§4.1 values of the wrong JSON type', () => {
  test.each<[string, unknown]>([
    ['ev:text', 1],
    ['ev:text', true],
    ['ev:text', {}],
    ['ev:text', ['a']],
    ['ev:count', '1'],
    ['ev:count', 1.5],
    ['ev:count', true],
    ['ev:size', '1.5'],
    ['ev:size', [1]],
    ['ev:isDone', 'true'],
    ['ev:isDone', 1],
    ['ev:day', 1709287200000],
    ['ev:day', 'yesterday'],
    ['ev:day', '2024-02-30'],
    ['ev:day', '+275760-09-13T00:00:00Z'],
    ['ev:day', '-000001-01-01T00:00:00Z'],
    ['ev:day', '9999-12-31T23:59:59-01:00'],
    ['ev:day', '0000-01-01T00:00:00+01:00'],
    ['ev:raw', 1],
    ['ev:file', 'text'],
    ['ev:file', ['text']],
    ['ev:part', 'text'],
    ['ev:part', [{ text: 'A' }]],
    ['ev:texts', 'a'],
    ['ev:texts', { 0: 'a' }],
    ['ev:texts', ['a', 1]],
    ['ev:texts', ['a', null]],
    ['ev:texts', [['a']]],
    ['ev:counts', [1, 1.5]],
    ['ev:sizes', ['1']],
    ['ev:flags', [null]],
    ['ev:days', ['2024-01-01', '2024-13-01']],
    ['ev:files', { content: 'a' }],
    ['ev:parts', { text: 'A' }],
    ['ev:parts', ['A']],
    ['ev:reader', 1],
    ['ev:reader', { id: 'Administrator' }],
    ['ev:reader', []],
    ['ev:reader', ['Administrator']],
    ['ev:reader', { 'entity-type': 'group', id: 'members' }],
    ['ev:related', [1]],
    ['ev:related', [{ 'entity-type': 'user', id: 'Administrator' }]],
    ['dc:nature', []],
    ['dc:nature', ['memo']],
    ['dc:nature', { 'entity-type': 'user', id: 'memo' }],
    ['dc:nature', { 'entity-type': 'directoryEntry', directoryName: 'country', id: 'memo' }],
    ['dc:coverage', ['europe/France', 'europe/Germany']],
  ])('%s does not accept %j', async (xpath, value) => {
    const created = await create({ [xpath]: value }).expect(400);
    expect(created.body).toMatchObject(exception(400, expect.stringContaining(xpath)));
    const { path } = await createDocument(server, { type: 'Every' });
    const updated = await server.request
      .put(atPath(path))
      .send(documentBody({ properties: { [xpath]: value } }))
      .expect(400);
    expect(updated.body).toMatchObject(exception(400, expect.stringContaining(xpath)));
  });

  test.each([
    [{ 'ev:part': { count: 'x' } }, 'ev:part/count'],
    [{ 'ev:part': { inner: { isDone: 1 } } }, 'ev:part/inner/isDone'],
    [{ 'ev:part': { days: ['2024', 'x'] } }, 'ev:part/days/1'],
    [{ 'ev:parts': [{}, { text: 1 }] }, 'ev:parts/1/text'],
    [{ 'ev:parts': [{}, { file: 1 }] }, 'ev:parts/1/file'],
    [{ 'ev:part': { unknown: 1 } }, 'unknown'],
    [{ 'ev:part': { 'ev:text': 'A' } }, 'ev:text'],
  ])('the message gives the path of the invalid field: %j', async (properties, place) => {
    const { body } = await create(properties).expect(400);
    expect(body.message).toContain(place);
  });
});

describe('§4.1 numeric values', () => {
  const post = (xpath: string, number: string) => {
    count += 1;
    const text = `{"entity-type": "document", "name": "p${count}", "type": "Every", "properties": {"${xpath}": ${number}}}`;
    return server.request.post(atPath(workspaces)).type('application/json').send(text);
  };

  test.each([
    ['ev:count', '9007199254740993'],
    ['ev:count', '123456789012345678901234567890'],
    ['ev:count', '1e400'],
    ['ev:count', '-1e400'],
    ['ev:count', '1e-3'],
    ['ev:size', '1e400'],
    ['ev:size', '-1e400'],
  ])('%s does not accept %s', async (xpath, number) => {
    const { body } = await post(xpath, number).expect(400);
    expect(body).toMatchObject(exception(400, expect.stringContaining(xpath)));
  });

  test.each([
    ['ev:count', '1.0', 1],
    ['ev:count', '-0', 0],
    ['ev:count', '12e2', 1200],
    ['ev:size', '-0.0', 0],
    ['ev:size', '1e-400', 0],
    ['ev:size', '1.7976931348623157e308', Number.MAX_VALUE],
  ])('%s accepts %s and stores %d', async (xpath, number, value) => {
    const { body } = await post(xpath, number).expect(201);
    const { properties } = (await server.request.get(atPath(body.path))).body;
    expect(properties[xpath]).toBe(value);
  });
});
