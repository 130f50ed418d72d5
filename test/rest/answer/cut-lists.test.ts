import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TooLarge } from '../../../src/errors.ts';
import { NestedList, SharedEntity } from '../../../src/rest/answer/shared-entity.ts';
import { writeJson } from '../../../src/rest/answer/write-json.ts';

const entity = (fields: object): SharedEntity => Object.assign(new SharedEntity(), fields);

/** A list of nested documents as enrichers have them. */
function documents(entries: readonly SharedEntity[]): Record<string, unknown> {
  const list = NestedList.from(entries) as NestedList;
  const envelope = { entries: list };
  list.setEnvelope(envelope, entries.length);
  return envelope;
}

const of = (length: number, count: number): SharedEntity[] =>
  Array.from({ length: count }, (_, index) => entity({ index, text: 'x'.repeat(length) }));

interface Shown {
  readonly entries: ReadonlyArray<Readonly<Record<string, Shown>>>;
  readonly resultsCount?: number;
}

const read = async (value: unknown, limit: number) => {
  const body = await writeJson(value, limit);
  expect(body.length).toBeLessThanOrEqual(limit);
  return JSON.parse(String(body)) as Record<string, Shown> & Shown;
};

describe('lists inside enrichers', () => {
  test('stay whole in an answer within the limit, without a count', async () => {
    const { children } = await read({ children: documents(of(100, 50)) }, 10_000);
    expect(children?.entries).toHaveLength(50);
    expect(children).not.toHaveProperty('resultsCount');
  });

  test('are cut so that the answer fits, and say how many there are', async () => {
    const { children } = await read({ children: documents(of(1_000, 50)) }, 10_000);
    expect(children?.resultsCount).toBe(50);
    expect(children?.entries).toHaveLength(9);
  });

  test('leave short lists whole when others are cut', async () => {
    const entries = [{ children: documents(of(1_000, 50)) }, { children: documents(of(10, 3)) }];
    const shown = await read({ entries }, 10_000);
    expect(shown.entries[1]?.children?.entries).toHaveLength(3);
    expect(shown.entries[1]?.children).not.toHaveProperty('resultsCount');
    expect(shown.entries[0]?.children).toMatchObject({ resultsCount: 50 });
    expect(shown.entries[0]?.children?.entries.length).toBeGreaterThan(5);
  });

  test('may become empty where a document is longer than the answer', async () => {
    const { children } = await read({ children: documents(of(20_000, 2)) }, 10_000);
    expect(children).toEqual({ entries: [], resultsCount: 2 });
  });

  test('are counted wherever a document is shown again', async () => {
    const all = of(1_000, 5);
    for (const each of all) each.isRepeated = true;
    const entries = Array.from({ length: 20 }, () => ({ children: documents(all) }));
    const shown = await read({ entries }, 50_000);
    expect(shown.entries.map(({ children }) => children?.entries.length)).toEqual(Array(20).fill(2));
  });

  test('do not help an answer that is too long without them: its page size is named', async () => {
    const entries = Array.from({ length: 20 }, () => ({
      text: 'x'.repeat(1_000),
      children: documents(of(1_000, 5)),
    }));
    await expect(writeJson({ entries }, 10_000)).rejects.toThrow(/with pageSize=9,/);
    await expect(writeJson({ entries }, 10_000)).rejects.toThrow(TooLarge);
    expect((await read({ entries: entries.slice(0, 9) }, 10_000)).entries).toHaveLength(9);
  });

  test('at every depth, of any lengths', async () => {
    const leaf = fc.nat(400).map((length) => entity({ text: 'é'.repeat(length) }));
    const lists = (inner: fc.Arbitrary<SharedEntity>) => fc.array(inner, { maxLength: 8 }).map(documents);
    const middle = fc.record({ text: fc.string(), children: lists(leaf) }).map(entity);
    const answer = fc.array(fc.record({ children: lists(middle), versions: lists(leaf) }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(answer, fc.integer({ min: 1_000, max: 5_000 }), async (entries, limit) => {
        const whole = JSON.stringify({ entries });
        const shown = await read({ entries }, limit);
        if (Buffer.byteLength(whole) <= limit) expect(shown).toEqual(JSON.parse(whole));
        for (const each of shown.entries)
          for (const list of [each.children, each.versions])
            if (list?.resultsCount !== undefined) expect(list.entries.length).toBeLessThan(list.resultsCount);
      }),
    );
  });
});
