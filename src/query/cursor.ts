import type { Invalid } from '../errors.ts';
import { faultAt, type Token, tokensOf } from './tokens.ts';

/** Reads a query token by token. */
export class Cursor {
  readonly #tokens: readonly Token[];
  #index = 0;

  /** @throws Invalid where there is no token. */
  constructor(query: string) {
    this.#tokens = tokensOf(query);
  }

  get token(): Token {
    const token = this.#tokens[this.#index] ?? this.#tokens.at(-1);
    if (!token) throw new Error('a query has an end');
    return token;
  }

  /** Whether this is the next word, in any case, or sign; it is passed then. */
  takes(word: string): boolean {
    const { kind, source } = this.token;
    const isIt = (kind === 'name' || kind === 'sign') && source.toUpperCase() === word;
    if (isIt) this.#index += 1;
    return isIt;
  }

  /** Whether this word or sign is the one after the next. */
  isBefore(word: string): boolean {
    return this.#tokens[this.#index + 1]?.source.toUpperCase() === word;
  }

  /** Passes a word or a sign. @throws Invalid when it is another one. */
  needs(word: string): void {
    if (!this.takes(word)) throw this.expected(word);
  }

  /** Passes a token of a kind. @throws Invalid when it is another one. */
  read(kind: Token['kind'], what: string): Token {
    const { token } = this;
    if (token.kind !== kind) throw this.expected(what);
    this.#index += 1;
    return token;
  }

  /** The fault that something else is here. */
  expected(what: string): Invalid {
    const { at, source, kind } = this.token;
    const found = kind === 'end' ? 'the end' : JSON.stringify(source.slice(0, 40));
    return faultAt(at, `expected ${what}, found ${found}`);
  }
}
