import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

/** The value of a property of a new document after an operation, or the status of a refusal. */
async function valueAfter(
  operation: string,
  params: Record<string, unknown>,
  before: Record<string, unknown> = { 'dc:contributors': ['a', 'b', 'a'] },
): Promise<unknown> {
  const { uid } = await createDocument(server, { properties: before });
  const xpath = String(params.xpath ?? 'dc:contributors');
  const { body } = await call(server.request, `Document.${operation}`, {
    input: uid,
    params: { xpath, ...params },
  });
  return body.status ?? body.properties[xpath];
}

describe('Document.SetProperty, Document.RemoveProperty', () => {
  test.each([
    [{ xpath: 'dc:title', value: 'A, B' }, 'A, B'],
    [{ xpath: 'dc:title' }, null],
    [{ xpath: 'dc:title', value: null }, null],
    [{ xpath: 'dc:issued', value: '2024-03-01' }, '2024-03-01T00:00:00.000Z'],
    [{ xpath: 'dc:subjects', value: 'art,sciences' }, ['art', 'sciences']],
    [{ xpath: 'dc:issued', value: 'soon' }, 400],
    [{ xpath: 'dc:nature', value: 'nix' }, 422],
  ])('SetProperty with %j sets the value or refuses it', async (params, value) => {
    const { uid } = await createDocument(server, { properties: { 'dc:title': 'before' } });
    const { status, body } = await call(server.request, 'Document.SetProperty', { input: uid, params });
    expect(status === 200 ? body.properties[params.xpath] : status).toEqual(value);
  });

  test('RemoveProperty clears the property', async () => {
    expect(await valueAfter('RemoveProperty', { xpath: 'dc:title' }, { 'dc:title': 'x' })).toBeNull();
    expect(await valueAfter('RemoveProperty', { xpath: 'dc:subjects' }, { 'dc:subjects': ['art'] })).toEqual(
      [],
    );
  });
});

const all = ['a', 'b', 'a', 'Administrator'];

describe('Operations on the items of lists', () => {
  test.each([
    ['AddEntryToMultivaluedProperty', { value: 'c' }, [...all, 'c']],
    ['AddEntryToMultivaluedProperty', { value: 'c,d' }, [...all, 'c,d']],
    ['AddEntryToMultivaluedProperty', { value: 'b' }, all],
    ['AddEntryToMultivaluedProperty', { value: 'b', checkExists: false }, [...all, 'b']],
    ['AddEntryToMultivaluedProperty', { xpath: 'dc:title', value: 'b' }, 400],
    ['RemoveEntryOfMultivaluedProperty', { value: 'a' }, ['b', 'Administrator']],
    ['RemoveEntryOfMultivaluedProperty', { value: 'a', isRemoveAll: false }, ['b', 'a', 'Administrator']],
    [
      'RemoveEntryOfMultivaluedProperty',
      { value: 'a', 'is Remove All': 'false' },
      ['b', 'a', 'Administrator'],
    ],
    ['RemoveEntryOfMultivaluedProperty', { value: 'c', isRemoveAll: false }, all],
    ['RemoveEntryOfMultivaluedProperty', { xpath: 'dc:title', value: 'b' }, 400],
    ['RemoveItemFromListProperty', { index: 1 }, ['a', 'a', 'Administrator']],
    ['RemoveItemFromListProperty', { index: 9 }, all],
    ['RemoveItemFromListProperty', { xpath: 'dc:title', index: 0 }, 400],
  ])('Document.%s with %j gives the expected list or status', async (operation, params, expected) => {
    expect(await valueAfter(operation, params)).toEqual(expected);
  });

  test('the listing has the name of a parameter that clients know, which is checked by some', async () => {
    const { body } = await server.request
      .get('/api/v1/automation/Document.RemoveEntryOfMultivaluedProperty')
      .expect(200);
    const names = body.params.map(({ name }: { name: string }) => name);
    expect(names).toContain('is Remove All');
    expect(names).not.toContain('isRemoveAll');
    const params = { xpath: 'dc:contributors', value: 'a', isRemoveAll: 'perhaps' };
    const { uid: input } = await createDocument(server);
    const refused = await call(server.request, 'Document.RemoveEntryOfMultivaluedProperty', {
      input,
      params,
    });
    expect([refused.status, refused.body.message]).toEqual([400, 'isRemoveAll must be true or false']);
  });

  test('complex items are appended from JSON or texts of JSON, and removed by their index', async () => {
    const { uid: input } = await createDocument(server, { properties: { 'nxtag:tags': [] } });
    const tag = (label: string) => ({ label, username: 'bob' });
    const run = async (operation: string, more: Record<string, unknown>) => {
      const params = { xpath: 'nxtag:tags', ...more };
      return (await call(server.request, `Document.${operation}`, { input, params }).expect(200)).body
        .properties['nxtag:tags'];
    };
    await run('AddItemToListProperty', { complexJsonProperties: JSON.stringify([tag('a'), tag('b')]) });
    const three = await run('AddItemToListProperty', { complexJsonProperties: tag('c') });
    expect(three).toEqual([tag('a'), tag('b'), tag('c')]);
    expect(await run('RemoveItemFromListProperty', { index: '1' })).toEqual([tag('a'), tag('c')]);
    expect(await run('RemoveItemFromListProperty', {})).toEqual([]);
  });
});
