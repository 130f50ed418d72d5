import { Invalid } from '../errors.ts';

/** Thrown if a query cannot be parsed or compiled. */
export class QueryFault extends Invalid {
  /** The position of the error in the query text, starting at 1; undefined if unknown. */
  readonly at: number | undefined;
  constructor(what: string, at?: number) {
    super(at === undefined ? what : `at ${at}: ${what}`, { field: 'query' });
    this.at = at;
  }
}
