import { type OrderKey, requirePosition } from '../../query/order-sql.ts';
import { nextCursor, type PositionKeys, readCursor } from './list-cursor.ts';
import { type PageArguments, pageLimit } from './page.ts';
import { bounded, type PageResult } from './page-loader.ts';

/** What to read of a list: the entries after a position, or at an offset. */
export interface Stretch {
  readonly after: PositionKeys | undefined;
  readonly offset: number;
  readonly limit: number;
}

interface OrderedList<Row> {
  /** What makes it this list and no other. */
  readonly list: unknown;
  readonly order: ReadonlyArray<Pick<OrderKey, 'type' | 'isNullable'>>;
  readonly positionOf: (row: Row) => PositionKeys;
}

/**
 * A page by number or by cursor of a list with a statement of its own, which can begin after a position.
 * @throws Invalid for a cursor of another list
 */
export async function readStretch<Row>(
  { list, order, positionOf }: OrderedList<Row>,
  page: Pick<PageArguments, 'pageSize' | 'offset' | 'cursor'>,
  read: (stretch: Stretch) => Promise<Pick<PageResult<Row>, 'total' | 'rows'>>,
): Promise<PageResult<Row>> {
  const limit = pageLimit(page);
  if (page.cursor === undefined) return read({ after: undefined, offset: page.offset, limit });
  const { after, offset } = readCursor(list, page.cursor);
  if (after) requirePosition(order, after);
  const { last, ...shown } = bounded(await read({ after, offset: 0, limit: limit + 1 }), limit, positionOf);
  return { ...shown, offset, nextCursor: nextCursor(list, { offset }, shown.rows.length, last) };
}
