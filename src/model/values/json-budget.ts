import { Invalid, TooLarge } from '../../errors.ts';

/** Levels of arrays and objects within each other: far fewer than the stack allows. */
export const maxJsonDepth = 100;

/**
 * Fields of one object. Documents have some hundreds. Objects of 100,000 fields would take a tenth of a second each time
 * that they are copied.
 */
export const maxJsonFields = 10_000;

const limits = { values: 100_000 };

/**
 * Sets how many values JSON of a caller may hold (JSON_VALUES_LIMIT), for the whole process: parameters are
 * parsed deep inside of pure functions, and a process serves one configuration.
 */
export function setJsonValuesLimit(values: number): void {
  limits.values = values;
}

const tooMany = (what: string, kind: string): TooLarge =>
  new TooLarge(`${what} has more than ${limits.values} ${kind} (JSON_VALUES_LIMIT)`);

export const tooDeep = (what: string): TooLarge =>
  new TooLarge(`${what} is nested more than ${maxJsonDepth} levels deep`);

export const tooManyFields = (what: string): TooLarge =>
  new TooLarge(`${what} has an object with more than ${maxJsonFields} fields`);

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** The index of the quote that ends a string, or -1. Reads every character once, and most of them natively. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end; // an even number of backslashes escapes none
  }
  return -1;
}

/**
 * What a caller may still send as JSON, or as text that stands for JSON. Parsing costs memory and time by the
 * number of values more than by the bytes, so values are counted before anything is parsed: each scalar, array
 * and object is one; the names of an object are not counted, since each has its value.
 */
export class JsonBudget {
  #left = limits.values;

  /**
   * Counts the values of a text in one pass that ends at the limit. The count is exact for JSON; other text is
   * left to `JSON.parse`, which refuses it.
   * @param what the subject of the message, such as `the body`.
   * @throws TooLarge
   */
  spendJson(text: string, what: string): void {
    let [left, depth] = [this.#left - 1, 0];
    const fields: number[] = []; // of the object at each depth
    let isFirst = false; // the next value is the first one of its array or object
    const count = (): void => {
      left -= 1;
      isFirst = false;
      if (left < 0) throw tooMany(what, 'JSON values');
    };
    if (left < 0) throw tooMany(what, 'JSON values');
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === closeArray || code === closeObject) {
        isFirst = false;
        depth -= 1;
        if (depth < 0) return;
      } else if (code === comma) {
        if (depth === 0) return;
        count();
      } else if (code === colon) {
        const named = (fields[depth] ?? 0) + 1;
        if (named > maxJsonFields) throw tooManyFields(what);
        fields[depth] = named;
      } else if (!isBlank(code)) {
        if (isFirst) count();
        if (code === quote) {
          at = endOfString(text, at);
          if (at < 0) return;
        } else if (code === openArray || code === openObject) {
          depth += 1;
          fields[depth] = 0;
          isFirst = true;
          if (depth > maxJsonDepth) throw tooDeep(what);
        }
      }
    }
    this.#left = left;
  }

  /**
   * Counts the items of a text that is to be split.
   * @param separator a comma, or a line break.
   * @param what the subject of the message, such as `the body`.
   * @throws TooLarge
   */
  spendItems(text: string, separator: ',' | '\n', what: string): void {
    const kind = separator === ',' ? 'items' : 'lines';
    let left = this.#left - 1;
    for (let at = text.indexOf(separator); at >= 0 && left >= 0; at = text.indexOf(separator, at + 1))
      left -= 1;
    if (left < 0) throw tooMany(what, kind);
    this.#left = left;
  }
}

/**
 * Parses JSON of a caller.
 * @param what the subject of the messages, such as `the body`.
 * @throws TooLarge beyond the limits; Invalid for text that is not JSON
 */
export function parseJson(text: string, what: string, budget = new JsonBudget()): unknown {
  budget.spendJson(text, what);
  return parseCounted(text, what);
}

/** Parses JSON whose values a budget has counted. @throws Invalid for text that is not JSON */
export function parseCounted(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Invalid(`${what} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

/** @returns undefined for text that is not JSON. @throws TooLarge */
export function parseJsonOrNothing(text: string, what: string, budget = new JsonBudget()): unknown {
  budget.spendJson(text, what);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
