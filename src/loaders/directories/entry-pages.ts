import type { Context } from '../context.ts';
import type { PageArguments } from '../lists/page.ts';
import { readStretch, type Stretch } from '../lists/page-after.ts';
import type { PageResult } from '../lists/page-loader.ts';
import { contributedDirectory } from './index.ts';
import { entryPosition, type StoredEntry } from './source.ts';

/** By ordering, then by id. */
const order = [
  { type: 'bigint', isNullable: false },
  { type: 'text', isNullable: false },
] as const;

/**
 * A page of the entries of a directory, without a check of permissions.
 * @throws NotFound; Invalid when the directory is not served, and for a cursor of another list
 */
export function directoryEntryPage(
  context: Context,
  name: string,
  page: Pick<PageArguments, 'pageSize' | 'offset' | 'cursor'>,
): Promise<PageResult<StoredEntry>> {
  const directory = contributedDirectory(context.services.model, name);
  const read = async ({ after, ...bounds }: Stretch) => {
    const [ordering, id] = after ?? [];
    const position = typeof id === 'string' ? { ordering: Number(ordering), id } : undefined;
    const wish = { filter: {}, after: position, ...bounds };
    const { total, entries } = await context.load.directoryEntryPages(name, wish);
    return { total, rows: entries };
  };
  const positionOf = (entry: StoredEntry) => {
    const { ordering, id } = entryPosition(directory, entry);
    return [String(ordering), id];
  };
  return readStretch({ list: ['directory', name], order, positionOf }, page, read);
}
