import { describe, expect, test } from '@jest/globals';
import { askGraphql } from '../support/requests.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const change = (preferences: unknown) =>
  server.request.post('/graphql').send({
    query: 'mutation ($preferences: JSON!) { changePreferences(preferences: $preferences) }',
    variables: { preferences },
  });

const stored = async () =>
  (await askGraphql<{ preferences: unknown }>(server.request, '{ preferences }')).preferences;

describe('the preferences of a user for the console', () => {
  test('keep what a change does not name, and lose what it sets to null', async () => {
    expect(await stored()).toEqual({});
    await change({ view: 'grid', widths: { size: 80 } });
    const { body } = await change({ view: null, tree: 300 });
    expect(body.data.changePreferences).toEqual({ widths: { size: 80 }, tree: 300 });
    expect(await stored()).toEqual({ widths: { size: 80 }, tree: 300 });
  });

  test('are limited in number and length, and are an object', async () => {
    const before = await stored();
    for (const [preferences, fault] of [
      [{ long: 'x'.repeat(8_000) }, /at most 50 with 8000 characters/],
      [Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`p${index}`, 1])), /at most 50/],
      [['view'], /preferences/],
      ['view', /preferences/],
      [{ view: '\u0000' }, /./],
    ] as const) {
      const { body } = await change(preferences);
      expect(body.errors[0].message).toMatch(fault);
    }
    expect(await stored()).toEqual(before);
  });
});
