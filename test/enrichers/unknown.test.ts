import { describe, expect, test } from '@jest/globals';
import { useServer } from '../support/server.ts';

const { request } = useServer();

const read = (path: string, headers: Record<string, string>) =>
  request
    .get(`/api/v1${path}`)
    .set(headers)
    .expect(200)
    .then(({ body }) => body);

describe('§4.9 contextParameters', () => {
  test.each([
    ['/path/default-domain', 'enrichers.document'],
    ['/user/Administrator', 'enrichers.user'],
  ])('of %s are empty when %s names no enricher that there is', async (path, header) => {
    expect((await read(path, { [header]: 'nothing' })).contextParameters).toEqual({});
    const { contextParameters, ...rest } = await read(path, { [header]: 'nothing' });
    expect(rest).toEqual(await read(path, {}));
    expect(contextParameters).toEqual({});
  });

  test('of a list are empty in each entry', async () => {
    const { entries } = await read('/path/default-domain/@children', { 'enrichers.document': 'nothing' });
    expect(entries.length).toBeGreaterThan(0);
    for (const { contextParameters } of entries) expect(contextParameters).toEqual({});
  });

  test('are absent when no enricher is asked for', async () => {
    expect(await read('/path/default-domain', {})).not.toHaveProperty('contextParameters');
  });
});
