import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer(
  {},
  {
    schemas: [
      {
        name: 'nest',
        prefix: 'n',
        fields: {
          box: {
            type: 'complex',
            fields: {
              label: { type: 'string', constraints: { maxLength: 5 } },
              words: 'string[]',
              inner: { type: 'complex', fields: { count: 'long' } },
            },
          },
          boxes: {
            type: 'complex[]',
            fields: {
              label: { type: 'string', constraints: { maxLength: 5 } },
              words: 'string[]',
              file: 'blob',
              day: 'date',
            },
          },
          words: 'string[]',
        },
      },
    ],
    types: [{ name: 'Nest', parent: 'Document', schemas: ['nest', 'dublincore'] }],
  },
);

const first = { label: 'a', words: ['x', 'y'], file: null, day: null };
const second = { label: 'b', words: [], file: null, day: null };
const filled = {
  'n:box': { label: 'in', words: ['v'], inner: { count: 1 } },
  'n:boxes': [first, second],
  'n:words': ['p', 'q', 'r'],
};

/** The properties of a document after an operation at an xpath, or the status and message of the refusal. */
async function changedBy(
  operation: string,
  params: Record<string, unknown>,
  properties: Record<string, unknown> = filled,
): Promise<Record<string, unknown>> {
  const { uid: input } = await createDocument(server, { type: 'Nest', properties });
  const { status, body } = await call(server.request, `Document.${operation}`, { input, params });
  if (status !== 200) return { status, message: body.message };
  return (await server.request.get(`/api/v1/id/${input}`).expect(200)).body.properties;
}

describe('Xpaths within properties', () => {
  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ xpath: 'n:box/label', value: 'new' }, { 'n:box': { ...filled['n:box'], label: 'new' } }],
    [{ xpath: 'n:box/inner/count', value: '7' }, { 'n:box': { ...filled['n:box'], inner: { count: 7 } } }],
    [
      { xpath: 'n:box/inner', value: '{"count": 8}' },
      { 'n:box': { ...filled['n:box'], inner: { count: 8 } } },
    ],
    [{ xpath: 'n:box/words', value: 'a,b' }, { 'n:box': { ...filled['n:box'], words: ['a', 'b'] } }],
    [{ xpath: 'n:box/words/0', value: 'a,b' }, { 'n:box': { ...filled['n:box'], words: ['a,b'] } }],
    [{ xpath: 'n:box/label' }, { 'n:box': { ...filled['n:box'], label: null } }],
    [{ xpath: 'n:boxes/1/label', value: 'new' }, { 'n:boxes': [first, { ...second, label: 'new' }] }],
    [{ xpath: 'n:boxes[0]/words[1]', value: 'z' }, { 'n:boxes': [{ ...first, words: ['x', 'z'] }, second] }],
    [
      { xpath: 'n:boxes[0]/day', value: '2024-03-01' },
      { 'n:boxes': [{ ...first, day: '2024-03-01T00:00:00.000Z' }, second] },
    ],
    [{ xpath: 'n:boxes/1', value: { label: 'all' } }, { 'n:boxes': [first, { ...second, label: 'all' }] }],
    [{ xpath: 'n:words/2', value: 'last' }, { 'n:words': ['p', 'q', 'last'] }],
    [{ xpath: 'n:words[0]' }, { 'n:words': ['q', 'r'] }],
  ])('Document.SetProperty applies %j and changes nothing else', async (params, expected) => {
    expect(await changedBy('SetProperty', params)).toMatchObject({ ...filled, ...expected });
  });

  test('Document.SetProperty creates missing complex values on the path', async () => {
    const params = { xpath: 'n:box/inner/count', value: 1 };
    expect(await changedBy('SetProperty', params, {})).toMatchObject({
      'n:box': { label: null, inner: { count: 1 } },
    });
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['RemoveProperty', { xpath: 'n:box/label' }, { 'n:box': { ...filled['n:box'], label: null } }],
    ['RemoveProperty', { xpath: 'n:boxes/0' }, { 'n:boxes': [second] }],
    ['RemoveProperty', { xpath: 'n:boxes/0/words/0' }, { 'n:boxes': [{ ...first, words: ['y'] }, second] }],
    ['ResetSchema', { xpath: 'n:boxes[0]/label' }, { 'n:boxes': [{ ...first, label: null }, second] }],
    [
      'AddEntryToMultivaluedProperty',
      { xpath: 'n:boxes/1/words', value: 'z' },
      { 'n:boxes': [first, { ...second, words: ['z'] }] },
    ],
    ['AddEntryToMultivaluedProperty', { xpath: 'n:box/words', value: 'v' }, { 'n:box': filled['n:box'] }],
    [
      'RemoveEntryOfMultivaluedProperty',
      { xpath: 'n:boxes[0]/words', value: 'x' },
      { 'n:boxes': [{ ...first, words: ['y'] }, second] },
    ],
    [
      'AddItemToListProperty',
      { xpath: 'n:boxes/1/words', complexJsonProperties: '["k", "l"]' },
      { 'n:boxes': [first, { ...second, words: ['k', 'l'] }] },
    ],
    [
      'RemoveItemFromListProperty',
      { xpath: 'n:boxes/0/words', index: 0 },
      { 'n:boxes': [{ ...first, words: ['y'] }, second] },
    ],
    [
      'Update',
      { properties: { 'n:boxes/0/label': 'x', 'n:boxes/1/label': 'y', 'n:words/0': 'z' } },
      {
        'n:boxes': [
          { ...first, label: 'x' },
          { ...second, label: 'y' },
        ],
        'n:words': ['z', 'q', 'r'],
      },
    ],
    [
      'Update',
      { properties: { 'n:box/words': 'w' }, propertiesBehaviors: 'n:box/words=append_including_duplicates' },
      { 'n:box': { ...filled['n:box'], words: ['v', 'w'] } },
    ],
  ])('Document.%s applies %j and changes nothing else', async (operation, params, expected) => {
    expect(await changedBy(operation, params)).toMatchObject({ ...filled, ...expected });
  });

  test('Document.SetProperty stores and records a blob at its xpath', async () => {
    const { uid: input } = await createDocument(server, { type: 'Nest', properties: filled });
    const params = { xpath: 'n:boxes[1]/file', value: { content: 'bytes', name: 'a.txt' } };
    await call(server.request, 'Document.SetProperty', { input, params }).expect(200);
    expect((await server.request.get(`/api/v1/id/${input}/@blob/n:boxes/1/file`).expect(200)).text).toBe(
      'bytes',
    );
    const rows = await server.database.prisma.documentBlob.findMany({ where: { documentId: input } });
    expect(rows.map(({ xpath }) => xpath)).toEqual(['n:boxes/1/file']);
  });

  test('have the same meaning in the bodies of POST and PUT (§2.1)', async () => {
    const { uid } = await createDocument(server, { type: 'Nest', properties: { 'n:box/label': 'made' } });
    const properties = { 'n:words': ['one', 'two'], 'n:words/1': 'three', 'n:box/words': ['w'] };
    const body = { 'entity-type': 'document', properties };
    const answer = await server.request.put(`/api/v1/id/${uid}`).send(body).expect(200);
    expect(answer.body.properties).toMatchObject({
      'n:box': { label: 'made', words: ['w'] },
      'n:words': ['one', 'three'],
    });
  });

  test.each<[Record<string, unknown>, number, RegExp]>([
    [{ xpath: 'n:box/odd', value: 'x' }, 400, /^unknown property: n:box\/odd$/],
    [{ xpath: 'n:box/label/odd', value: 'x' }, 400, /^unknown property: /],
    [{ xpath: 'n:box/', value: 'x' }, 400, /^unknown property: /],
    [{ xpath: 'n:box/0', value: 'x' }, 400, /^unknown property: /],
    [{ xpath: 'n:boxes/label', value: 'x' }, 400, /^unknown property: /],
    [{ xpath: 'n:boxes[-1]/label', value: 'x' }, 400, /^unknown property: /],
    [{ xpath: 'n:boxes/*/label', value: 'x' }, 400, /^unknown property: /],
    [{ xpath: 'n:boxes/1e1/label', value: 'x' }, 400, /^unknown property: /],
    [{ xpath: `n:boxes/${'9'.repeat(400)}/label`, value: 'x' }, 400, /^unknown property: /],
    [{ xpath: 'dc:title[0]', value: 'x' }, 400, /^unknown property: /],
    [{ xpath: 'n:boxes/2/label', value: 'x' }, 400, /^n:boxes\/2\/label: The list has no such item\.$/],
    [{ xpath: 'n:words[3]', value: 'x' }, 400, /^n:words\[3\]: The list has no such item\.$/],
    [{ xpath: 'n:words/9' }, 400, /^n:words\/9: The list has no such item\.$/],
    [{ xpath: 'n:box/inner/count', value: 'many' }, 400, /n:box\/inner\/count: expected an integer/],
    [{ xpath: 'n:boxes/0/day', value: 'soon' }, 400, /^n:boxes\/0\/day: "soon" is not a W3C date-time$/],
    [{ xpath: 'n:boxes[0]/file', value: '{}' }, 400, /^n:boxes\/0\/file: a blob needs/],
    [{ xpath: 'n:box/label', value: 'too long' }, 422, /./],
    [{ xpath: 'n:boxes/0/label', value: 'too long' }, 422, /./],
  ])('Document.SetProperty refuses %j', async (params, status, message) => {
    const { uid: input } = await createDocument(server, { type: 'Nest', properties: filled });
    const answer = await call(server.request, 'Document.SetProperty', { input, params });
    expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
    if (status === 400) expect(answer.body.message).toMatch(message);
    if (status >= 400)
      expect((await server.request.get(`/api/v1/id/${input}`)).body.properties).toMatchObject(filled);
  });
});
