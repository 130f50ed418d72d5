import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { maxPageSize } from './children.ts';
import { eachWish, type Part, type PartRow, partsByKey } from './parts.ts';

/** How a list is read, and what it can be narrowed by. */
export interface List<Filter> {
  readonly name: string;
  readonly columns: string;
  readonly from: string;
  /** $1 is the repository. */
  readonly where: string;
  /** The condition that an entry is of a document `s`. */
  readonly ofDocument: string;
  readonly order: string;
  /** Of each filter, the condition with the parameter that brings its value. */
  readonly conditions: Readonly<Record<keyof Filter, (parameter: string) => string>>;
}

/** Which part of a list. */
export interface Listed {
  /** 0 asks for as many as there may be. */
  readonly pageSize: number;
  readonly offset: number;
}

interface Wish extends Listed {
  readonly isOfDocument: boolean;
  /** Values by the names of filters; those that are not given are not here. */
  readonly given: ReadonlyArray<readonly [name: string, value: unknown]>;
}

/** A statement of its own for each set of filters, so that each is planned for what it asks. */
function queryOf<Filter>(list: List<Filter>, { isOfDocument, given }: Wish): Query {
  const conditions: Readonly<Record<string, (parameter: string) => string>> = list.conditions;
  const where = [
    list.where,
    ...(isOfDocument ? [list.ofDocument] : []),
    ...given.map(([name], index) => conditions[name]?.(`$${index + 5}`) ?? 'true'),
  ].join(' AND ');
  return {
    name: [list.name, isOfDocument && 'of', ...given.map(([name]) => name)].filter(Boolean).join('-'),
    text: `
      SELECT s.id AS "of", c.total, e.* FROM unnest($2::text[]) AS s (id)
      CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM ${list.from} WHERE ${where}) c
      LEFT JOIN LATERAL (
        SELECT ${list.columns}, row_number() OVER (ORDER BY ${list.order}) AS "at"
        FROM ${list.from} WHERE ${where} ORDER BY ${list.order} LIMIT $3::int OFFSET $4::int
      ) e ON true
      ORDER BY s.id, e."at"`,
  };
}

/** A page of a list; of a document's, when one is named. */
export type Pages<Filter, Row> = (
  filter: Partial<Filter>,
  page: Listed,
  document?: string,
) => Promise<Part<Row>>;

/** Pages of a list: those of many documents are found by one statement for each wish. */
export const pagesOf =
  <Filter extends object, Row>(list: List<Filter>) =>
  ({ db, options }: Scope): Pages<Filter, Row> => {
    const find = eachWish((wish: Wish) => {
      const query = queryOf(list, wish);
      const size = wish.pageSize === 0 ? maxPageSize : Math.min(wish.pageSize, maxPageSize);
      const values = [size, wish.offset, ...wish.given.map(([, value]) => value)];
      return partsByKey((ids) => db.query<PartRow<Row>>(query, [options.repository, ids, ...values]));
    });
    return (filter, { pageSize, offset }, document = '') =>
      find(document, {
        ...{ pageSize, offset, isOfDocument: document !== '' },
        given: Object.entries(filter).filter(([, value]) => value !== undefined),
      });
  };
