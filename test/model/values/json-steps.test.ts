import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeInTurns, jsonStepBytes, jsonSteps } from '../../../src/model/values/json-steps.ts';

const limit = 2 ** 25;

/** Compares without `toBe`, whose message for long texts would have millions of characters. */
const isWrittenWell = async (value: unknown): Promise<boolean> =>
  String(await encodeInTurns(jsonSteps(value), limit)) === JSON.stringify(value);

const long = 'x'.repeat(jsonStepBytes);

describe('jsonSteps', () => {
  test('writes what JSON.stringify writes', async () => {
    const anything = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date({ noInvalidDate: true }));
    await fc.assert(
      fc.asyncProperty(fc.array(anything), fc.dictionary(fc.string(), anything), async (list, map) => {
        const lists = [...list, long, ...list, [long, list, { ...map, long }], long];
        const value = { ...map, list: lists, nothing: undefined, long: { long, map }, last: map };
        expect(await isWrittenWell(value)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test.each(['😀', 'a😀', '\ud83d', 'é"\\\u001f'])('writes a long text of %j', async (piece) => {
    expect(await isWrittenWell([piece.repeat(jsonStepBytes)])).toBe(true);
    expect(await isWrittenWell(piece.repeat(jsonStepBytes + 1))).toBe(true);
  });

  test('takes a step for each part of a long value, wherever it is', () => {
    const text = long.repeat(4);
    const many = Array.from({ length: 100 }, () => long.slice(0, jsonStepBytes / 10));
    for (const value of [text, [text], { a: { b: [1, text] } }, many, { many: { ...many } }]) {
      const parts = [...jsonSteps(value)].map(({ length }) => length);
      expect(Math.max(...parts)).toBeLessThanOrEqual(jsonStepBytes * 1.1);
    }
  });

  test('is encoded up to the limit', async () => {
    const value = { text: 'é'.repeat(jsonStepBytes) };
    const bytes = Buffer.from(JSON.stringify(value));
    expect(bytes.equals(await encodeInTurns(jsonSteps(value), bytes.length))).toBe(true);
    await expect(encodeInTurns(jsonSteps(value), bytes.length - 1)).rejects.toThrow(RangeError);
  });
});
