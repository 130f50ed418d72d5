import { describe, expect, test } from '@jest/globals';
import type { Ask, Operation } from '../../src/operation.ts';
import { type AskedInside, findInside, Inside } from '../../src/rest/inside.ts';

const present = (entity: unknown, _: Inside, shown: Record<string, unknown>) => Object.assign(shown, entity);

/** Asks nobody: the operation is what is answered, by kind and id. */
const asking = (entities: Record<string, Record<string, object>>) => {
  const asked: object[] = [];
  const ask: Ask = async (_, inputs) => {
    asked.push(inputs);
    const found = Object.entries(inputs as Record<string, string[]>);
    return Object.fromEntries(found.map(([kind, ids]) => [kind, ids.map((id) => entities[kind]?.[id])]));
  };
  const inside = (): AskedInside => ({
    operation: {} as Operation,
    present: { document: present, user: present },
  });
  return { asked, ask, inside };
};

describe('what is inside of an answer', () => {
  test('is asked for once, however often and of whatever kind it is', async () => {
    const inside = new Inside();
    const shown = ['a', 'b', 'a'].map((id) => inside.place('document', id));
    shown.push(inside.place('user', 'a'), inside.place('user', 'a'));
    const {
      asked,
      ask,
      inside: how,
    } = asking({
      document: { a: { title: 'A' }, b: { title: 'B' } },
      user: { a: { name: 'Ann' } },
    });
    await findInside(inside, how, ask);
    expect(asked).toEqual([{ document: ['a', 'b'], user: ['a'] }]);
    expect(shown).toEqual([{ title: 'A' }, { title: 'B' }, { title: 'A' }, { name: 'Ann' }, { name: 'Ann' }]);
  });

  test('is nothing but its id once it is gone', async () => {
    const inside = new Inside();
    const shown = [inside.place('document', 'a'), inside.place('user', 'b')];
    const { ask, inside: how } = asking({});
    await findInside(inside, how, ask);
    expect(shown).toEqual([
      { 'entity-type': 'document', uid: 'a' },
      { 'entity-type': 'user', id: 'b' },
    ]);
  });

  test('counts documents wherever they are shown, and users not at all', () => {
    const inside = new Inside(19_999);
    expect(inside.place('user', 'a')).toEqual({});
    expect(inside.place('document', 'a')).toEqual({});
    expect(inside.place('document', 'a')).toBeUndefined();
    expect(inside.place('user', 'b')).toEqual({});
    expect(inside.next().place('document', 'b')).toBeUndefined();
  });

  test('costs nothing where there is none', async () => {
    const { asked, ask, inside: how } = asking({});
    await findInside(new Inside(), how, ask);
    expect(asked).toEqual([]);
  });
});
