import type { Invalid } from '../errors.ts';
import { syntaxFault, type Token, tokenize } from './tokens.ts';

export class TokenCursor {
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(query: string) {
    this.#tokens = tokenize(query);
  }

  get token(): Token {
    const token = this.#tokens[this.#index] ?? this.#tokens.at(-1);
    if (!token) throw new Error('a query has an end');
    return token;
  }

  /** Consumes the next token if it is this word (in any case) or sign. */
  accept(word: string): boolean {
    const { kind, source } = this.token;
    const matches = (kind === 'name' || kind === 'sign') && source.toUpperCase() === word;
    if (matches) this.#index += 1;
    return matches;
  }

  isFollowedBy(word: string): boolean {
    return this.#tokens[this.#index + 1]?.source.toUpperCase() === word;
  }

  expect(word: string): void {
    if (!this.accept(word)) throw this.unexpectedToken(word);
  }

  read(kind: Token['kind'], what: string): Token {
    const { token } = this;
    if (token.kind !== kind) throw this.unexpectedToken(what);
    this.#index += 1;
    return token;
  }

  unexpectedToken(what: string): Invalid {
    const { at, source, kind } = this.token;
    const found = kind === 'end' ? 'the end' : JSON.stringify(source.slice(0, 40));
    return syntaxFault(at, `expected ${what}, found ${found}`);
  }
}
