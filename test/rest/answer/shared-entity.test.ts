import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { joined, jsonParts, SharedEntity } from '../../../src/rest/answer/shared-entity.ts';
import { writeJson } from '../../../src/rest/answer/write-json.ts';

const limit = 2 ** 27;

const encodeShared = (value: unknown, most: number): Buffer =>
  joined(jsonParts(value, new Map(), most), most);

function shared(fields: object, uses: number): SharedEntity {
  const entity = Object.assign(new SharedEntity(), fields);
  entity.isRepeated = uses > 1;
  return entity;
}

describe('entities that an answer shows many times', () => {
  test('are written as JSON.stringify writes them, in one turn and in several', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.nat(3), async (all, uses) => {
        const usual = all.filter((fields) => !Object.hasOwn(fields, '__proto__'));
        const inner = usual.map((fields) => shared(fields, uses));
        const outer = inner.map((entity) => shared({ entity, again: [entity, inner[0]] }, uses));
        const value = { inner, outer, nothing: undefined, entries: [outer, inner, outer[0], undefined] };
        expect(String(encodeShared(value, limit))).toBe(JSON.stringify(value));
        const long = { ...value, entries: ['x'.repeat(200_000), ...value.entries, 'x'.repeat(400_000)] };
        expect(String(await writeJson(long, limit))).toBe(JSON.stringify(long));
      }),
      { numRuns: 50 },
    );
  });

  test('are serialized once', () => {
    let times = 0;
    const counted = { toJSON: () => (times += 1) };
    const entity = shared({ counted }, 2);
    expect(String(encodeShared([entity, entity, { entity }], limit))).toBe(
      '[{"counted":1},{"counted":1},{"entity":{"counted":1}}]',
    );
  });

  test('count each time against the limit of an answer', () => {
    const entity = shared({ text: 'x'.repeat(1000) }, 2);
    const many = Array.from({ length: 100 }, () => entity);
    expect(() => encodeShared(many, 50_000)).toThrow(RangeError);
  });

  test('an entity without a value is an empty one', () => {
    expect(String(encodeShared([shared({}, 2)], limit))).toBe('[{}]');
  });
});
