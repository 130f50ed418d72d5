import { Invalid } from '../errors.ts';

/** A query that cannot be parsed or compiled. */
export class QueryFault extends Invalid {
  /** The position in the text of the query, counted from 1, where that is known. */
  readonly at: number | undefined;
  constructor(what: string, at?: number) {
    super(at === undefined ? what : `at ${at}: ${what}`, { field: 'query' });
    this.at = at;
  }
}
