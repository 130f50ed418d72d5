import { type OrderKey, requirePosition } from '../../query/order-sql.ts';
import { nextCursor, type PositionKeys, readCursor } from './list-cursor.ts';
import { type PageArguments, pageLimit } from './page.ts';
import { bounded, type PageResult } from './page-loader.ts';

/** A range of a list: up to `limit` entries, starting after a position or at an offset. */
export interface PageRange {
  readonly after: PositionKeys | undefined;
  readonly offset: number;
  readonly limit: number;
}

interface OrderedList<Row> {
  /** A JSON value that identifies the list, such as its name and filters. */
  readonly list: unknown;
  readonly order: ReadonlyArray<Pick<OrderKey, 'type' | 'isNullable'>>;
  readonly positionOf: (row: Row) => PositionKeys;
}

/**
 * Reads a page, by number or by cursor, of a list that has its own statement instead of using `defineList`.
 * @param read reads a range of the list
 * @throws Invalid for a cursor that belongs to another list
 */
export async function readPageRange<Row>(
  { list, order, positionOf }: OrderedList<Row>,
  page: Pick<PageArguments, 'pageSize' | 'offset' | 'cursor'>,
  read: (range: PageRange) => Promise<Pick<PageResult<Row>, 'total' | 'rows'>>,
): Promise<PageResult<Row>> {
  const limit = pageLimit(page);
  if (page.cursor === undefined) return read({ after: undefined, offset: page.offset, limit });
  const { after, offset } = readCursor(list, page.cursor);
  if (after) requirePosition(order, after);
  const { last, ...shown } = bounded(await read({ after, offset: 0, limit: limit + 1 }), limit, positionOf);
  return { ...shown, offset, nextCursor: nextCursor(list, { offset }, shown.rows.length, last) };
}
