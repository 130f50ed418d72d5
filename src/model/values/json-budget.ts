import { Invalid, TooLarge } from '../../errors.ts';
import { inOneTurn, stepBytes } from '../../event-loop.ts';

/** The maximum nesting of arrays and objects: far less than the stack allows. */
export const maxJsonDepth = 100;

/**
 * The maximum number of fields of one object. Documents have some hundreds; copying an object with 100,000 fields takes a
 * tenth of a second.
 */
export const maxJsonFields = 10_000;

const limits = { values: 100_000 };

/**
 * Sets the maximum number of values in the JSON of a request (JSON_VALUES_LIMIT). It applies to the whole process:
 * parameters are parsed deep inside pure functions, and a process has one configuration.
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

/** The index of the closing quote of a string, or -1. Most characters are skipped by the native `indexOf`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end; // an even number of backslashes before the quote does not escape it
  }
  return -1;
}

/** Counts the values in JSON in one pass, which can pause at any character outside of a string. */
class JsonCount {
  readonly #text: string;
  readonly #what: string;
  #left: number;
  #depth = 0;
  /** The number of fields so far of the object at each depth. */
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

  /** The number of values that can follow; undefined if the text is certainly not JSON. */
  get left(): number | undefined {
    return this.#isJson ? this.#left : undefined;
  }

  /** @returns the end of the text, since `JSON.parse` rejects it. */
  #stop(): number {
    this.#isJson = false;
    return this.#text.length;
  }

  #count(): void {
    this.#left -= 1;
    this.#isFirst = false;
    if (this.#left < 0) throw tooMany(this.#what, 'JSON values');
  }

  /** Counts from a character to another one. @returns where to go on; the length of the text at the end */
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
 * The number of JSON values that the rest of a request can contain. The time and memory for parsing depend on the number
 * of values more than on the number of bytes, so values are counted before anything is parsed. Each scalar, array and
 * object counts as one; the names of fields are not counted, since each has a value.
 */
export class JsonBudget {
  #left = limits.values;

  /**
   * Deducts the values of a JSON text. They are counted in one pass that stops at the limit. The count is exact for valid
   * JSON; invalid JSON is left to `JSON.parse`, which rejects it.
   * @param what the subject of the message, such as `the body`.
   * @throws TooLarge if the budget is exceeded, or the JSON is nested too deeply.
   */
  spendJson(text: string, what: string): void {
    inOneTurn(this.spendingSteps(text, what));
  }

  /**
   * Like `spendJson`, in steps.
   * @param text each character can stand for a byte of UTF-8, because all bytes of other characters are above those of ASCII
   */
  *spendingSteps(text: string, what: string): Generator<void, void> {
    const count = new JsonCount(text, what, this.#left);
    for (let at = 0; at < text.length; yield) at = count.run(at, Math.min(at + stepBytes, text.length));
    this.#left = count.left ?? this.#left;
  }

  /**
   * Deducts the items of a text before it is split.
   * @param separator a comma, or a line break.
   * @param what the subject of the message, such as `the body`.
   * @throws TooLarge if the budget is exceeded.
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
 * Parses JSON that a caller sent.
 * @param what the subject of the messages, such as `the body`.
 * @throws TooLarge beyond the limits; Invalid for invalid JSON.
 */
export function parseJson(text: string, what: string, budget = new JsonBudget()): unknown {
  budget.spendJson(text, what);
  return parseCounted(text, what);
}

/** Parses JSON whose values have been deducted from a budget. @throws Invalid for invalid JSON. */
export function parseCounted(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Invalid(`${what} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Parses JSON that a caller sent. @returns undefined for invalid JSON. @throws TooLarge beyond the limits. */
export function parseJsonOrNothing(text: string, what: string, budget = new JsonBudget()): unknown {
  budget.spendJson(text, what);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
