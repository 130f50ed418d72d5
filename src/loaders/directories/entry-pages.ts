import type { Context } from '../context.ts';
import type { PageArguments } from '../lists/page.ts';
import type { PageResult } from '../lists/page-loader.ts';
import { type PageRange, readPageRange } from '../lists/page-range.ts';
import { contributedDirectory } from './index.ts';
import { entryPosition, type StoredEntry } from './source.ts';

/** The sort keys of entries: `ordering`, followed by the id. */
const order = [
  { type: 'bigint', isNullable: false },
  { type: 'text', isNullable: false },
] as const;

/**
 * Reads a page of the entries of a directory, without checking permissions.
 * @throws NotFound; Invalid for the directories of users and groups, and for a cursor that belongs to another list
 */
export function directoryEntryPage(
  context: Context,
  name: string,
  page: Pick<PageArguments, 'pageSize' | 'offset' | 'cursor'>,
): Promise<PageResult<StoredEntry>> {
  const directory = contributedDirectory(context.services.model, name);
  const read = async ({ after, ...bounds }: PageRange) => {
    const [ordering, id] = after ?? [];
    const position = typeof id === 'string' ? { ordering: Number(ordering), id } : undefined;
    const options = { filter: {}, after: position, ...bounds };
    const { total, entries } = await context.load.directoryEntryPages(name, options);
    return { total, rows: entries };
  };
  const positionOf = (entry: StoredEntry) => {
    const { ordering, id } = entryPosition(directory, entry);
    return [String(ordering), id];
  };
  return readPageRange({ list: ['directory', name], order, positionOf }, page, read);
}
