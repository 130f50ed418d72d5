import { Invalid, TooLarge } from '../../errors.ts';
import { inOneTurn, stepBytes } from '../../event-loop.ts';

/** The maximum nesting depth of arrays and objects, which is far below what the stack allows. */
export const maxJsonDepth = 100;

/**
 * The maximum number of fields in one object. Documents have a few hundred; copying an object with 100,000 fields
 * takes a tenth of a second.
 */
export const maxJsonFields = 10_000;

const limits = { values: 100_000 };

/**
 * Sets the maximum number of values in the JSON of a request (JSON_VALUES_LIMIT). The limit is global, because
 * parameters are parsed deep inside pure functions, and a process has only one configuration.
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

/**
 * Returns the index of a string's closing quote; -1 if there is none. The native `indexOf` skips most characters
 * quickly.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end; // An even number of backslashes before the quote does not escape it.
  }
  return -1;
}

/** Counts the values in JSON in a single pass. The pass can be interrupted at any character outside of a string. */
class JsonCount {
  readonly #text: string;
  readonly #what: string;
  #left: number;
  #depth = 0;
  /** The number of fields counted so far in the current object at each depth. */
  readonly #fields: number[] = [];
  /** Whether the next value is the first one in its array or object. */
  #isFirst = false;
  #isJson = true;

  constructor(text: string, what: string, left: number) {
    this.#text = text;
    this.#what = what;
    this.#left = left;
    this.#count();
  }

  /** The number of values that are still allowed; undefined if the text is certainly not JSON. */
  get left(): number | undefined {
    return this.#isJson ? this.#left : undefined;
  }

  /**
   * Stops the count, because the text is certainly not JSON; `JSON.parse` will reject it.
   * @returns the end of the text
   */
  #stop(): number {
    this.#isJson = false;
    return this.#text.length;
  }

  #count(): void {
    this.#left -= 1;
    this.#isFirst = false;
    if (this.#left < 0) throw tooMany(this.#what, 'JSON values');
  }

  /**
   * Counts the values from `start` to `end`.
   * @returns the position at which to continue; at the end of the text, its length
   */
  run(start: number, end: number): number {
    const text = this.#text;
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === closeArray || code === closeObject) {
        this.#isFirst = false;
        this.#depth -= 1;
        if (this.#depth < 0) return this.#stop();
      } else if (code === comma) {
        if (this.#depth === 0) return this.#stop();
        this.#count();
      } else if (code === colon) {
        const named = (this.#fields[this.#depth] ?? 0) + 1;
        if (named > maxJsonFields) throw tooManyFields(this.#what);
        this.#fields[this.#depth] = named;
      } else if (!isBlank(code)) {
        if (this.#isFirst) this.#count();
        if (code === quote) {
          at = endOfString(text, at);
          if (at < 0) return this.#stop();
          if (at >= end) return at + 1;
        } else if (code === openArray || code === openObject) {
          this.#depth += 1;
          this.#fields[this.#depth] = 0;
          this.#isFirst = true;
          if (this.#depth > maxJsonDepth) throw tooDeep(this.#what);
        }
      }
    }
    return end;
  }
}

/**
 * The number of JSON values that the rest of a request can contain. The time and memory needed for parsing depend more
 * on the number of values than on the number of bytes, so values are counted before anything is parsed. Each scalar,
 * array and object counts as one. Field names are not counted, because each of them belongs to a value.
 */
export class JsonBudget {
  #left = limits.values;

  /**
   * Subtracts the values in a JSON text from the budget. They are counted in a single pass that stops at the limit. The
   * count is exact for valid JSON; `JSON.parse` later rejects invalid JSON.
   * @param what the subject of the message, such as `the body`
   * @throws TooLarge if the budget is exceeded, or the JSON is nested too deeply
   */
  spendJson(text: string, what: string): void {
    inOneTurn(this.spendingSteps(text, what));
  }

  /**
   * Like `spendJson`, but in steps.
   * @param text the JSON, or its UTF-8 bytes as one character each; the bytes of a non-ASCII character cannot be
   * mistaken for JSON syntax, because all of them are above the ASCII range
   */
  *spendingSteps(text: string, what: string): Generator<void, void> {
    const count = new JsonCount(text, what, this.#left);
    for (let at = 0; at < text.length; yield) at = count.run(at, Math.min(at + stepBytes, text.length));
    this.#left = count.left ?? this.#left;
  }

  /**
   * Subtracts the items of a string from the budget before the string is split.
   * @param separator a comma or a line break
   * @param what the subject of the message, such as `the body`
   * @throws TooLarge if the budget is exceeded
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
 * Parses JSON from a request.
 * @param what the subject of the messages, such as `the body`
 * @throws TooLarge if a limit is exceeded; Invalid if the JSON is invalid
 */
export function parseJson(text: string, what: string, budget = new JsonBudget()): unknown {
  budget.spendJson(text, what);
  return parseCounted(text, what);
}

/**
 * Parses JSON whose values have already been subtracted from a budget.
 * @throws Invalid if the JSON is invalid
 */
export function parseCounted(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Invalid(`${what} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Parses JSON from a request.
 * @returns undefined if the JSON is invalid
 * @throws TooLarge if a limit is exceeded
 */
export function parseJsonOrNothing(text: string, what: string, budget = new JsonBudget()): unknown {
  budget.spendJson(text, what);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
