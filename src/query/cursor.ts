import type { Invalid } from '../errors.ts';
import { syntaxFault, type Token, tokenize } from './tokens.ts';

/** Reads the tokens of a query one by one. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(query: string) {
    this.#tokens = tokenize(query);
  }

  get token(): Token {
    const token = this.#tokens[this.#index] ?? this.#tokens.at(-1);
    if (!token) throw new Error('The list of tokens is empty.');
    return token;
  }

  /**
   * Consumes the next token if it is the given sign, or the given word in upper or lower case.
   * @returns whether the token was consumed
   */
  accept(word: string): boolean {
    const { kind, source } = this.token;
    const matches = (kind === 'name' || kind === 'sign') && source.toUpperCase() === word;
    if (matches) this.#index += 1;
    return matches;
  }

  isFollowedBy(word: string): boolean {
    return this.#tokens[this.#index + 1]?.source.toUpperCase() === word;
  }

  /**
   * Consumes the given word or sign.
   * @throws QueryFault if the next token is a different one
   */
  expect(word: string): void {
    if (!this.accept(word)) throw this.unexpectedToken(word);
  }

  /**
   * Consumes a token of the given kind.
   * @param what describes the kind in error messages
   * @throws QueryFault if the next token is of another kind
   */
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
