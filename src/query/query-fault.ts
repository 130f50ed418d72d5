import { Invalid } from '../errors.ts';

/** Thrown if a query cannot be parsed or compiled. */
export class QueryFault extends Invalid {
  /** The position of the fault in the text of the query, counted from 1; undefined if it is not known. */
  readonly at: number | undefined;
  constructor(what: string, at?: number) {
    super(at === undefined ? what : `at ${at}: ${what}`, { field: 'query' });
    this.at = at;
  }
}
