import { describe, expect, test } from '@jest/globals';
import { NestedEntities, type NestedQuery, resolveNested } from '../../../src/rest/answer/nested-entities.ts';
import type { GraphqlOperation } from '../../../src/selection/operation.ts';
import type { RunGraphql } from '../../../src/selection/run.ts';

const present = (entity: unknown, _: NestedEntities, shown: Record<string, unknown>) =>
  Object.assign(shown, entity);

/** Runs no operation: returns the entities of this object, by kind and id. */
const asking = (entities: Record<string, Record<string, object>>) => {
  const asked: object[] = [];
  const ask: RunGraphql = async (_, inputs) => {
    asked.push(inputs);
    const found = Object.entries(inputs as Record<string, string[]>);
    return Object.fromEntries(found.map(([kind, ids]) => [kind, ids.map((id) => entities[kind]?.[id])]));
  };
  const inside = (): NestedQuery => ({
    operation: {} as GraphqlOperation,
    present: { document: present, user: present },
  });
  return { asked, ask, inside };
};

describe('resolveNested', () => {
  test('requests each entity once', async () => {
    const inside = new NestedEntities();
    const shown = ['a', 'b', 'a'].map((id) => inside.reserve('document', id));
    shown.push(inside.reserve('user', 'a'), inside.reserve('user', 'a'));
    const {
      asked,
      ask,
      inside: how,
    } = asking({
      document: { a: { title: 'A' }, b: { title: 'B' } },
      user: { a: { name: 'Ann' } },
    });
    await resolveNested(inside, how, ask);
    expect(asked).toEqual([{ document: ['a', 'b'], user: ['a'] }]);
    expect(shown).toEqual([{ title: 'A' }, { title: 'B' }, { title: 'A' }, { name: 'Ann' }, { name: 'Ann' }]);
  });

  test('leaves only the id of an entity that does not exist', async () => {
    const inside = new NestedEntities();
    const shown = [inside.reserve('document', 'a'), inside.reserve('user', 'b')];
    const { ask, inside: how } = asking({});
    await resolveNested(inside, how, ask);
    expect(shown).toEqual([
      { 'entity-type': 'document', uid: 'a' },
      { 'entity-type': 'user', id: 'b' },
    ]);
  });

  test('counts documents towards the limit, but not users', () => {
    const inside = new NestedEntities(19_999);
    expect(inside.reserve('user', 'a')).toEqual({});
    expect(inside.reserve('document', 'a')).toEqual({});
    expect(inside.reserve('document', 'a')).toBeUndefined();
    expect(inside.reserve('user', 'b')).toEqual({});
    expect(inside.next().reserve('document', 'b')).toBeUndefined();
  });

  test('runs no operation without nested entities', async () => {
    const { asked, ask, inside: how } = asking({});
    await resolveNested(new NestedEntities(), how, ask);
    expect(asked).toEqual([]);
  });
});
