import type { Model } from '../../model/model.ts';
import type { Context } from '../context.ts';
import { changeToken, type DocumentRow } from './document-row.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The title that responses show for a document: `dc:title` or, if that is not set, the document's name. */
export const shownTitle = ({ name, properties }: Pick<DocumentRow, 'name' | 'properties'>): string =>
  text(properties['dc:title']) ?? name;

/** The date of the last change, `dc:modified`. */
export const lastModified = ({ properties }: Pick<DocumentRow, 'properties'>): string | null =>
  text(properties['dc:modified']);

/**
 * The facets that responses show for a document: those of its type, its own, and `Immutable` for versions and proxies.
 */
export function shownFacets(
  { type, facets, isVersion, isProxy }: Pick<DocumentRow, 'type' | 'facets' | 'isVersion' | 'isProxy'>,
  model: Model,
): string[] {
  const common = model.types.get(type)?.facets ?? [];
  const all = facets.length > 0 ? [...new Set([...common, ...facets])] : [...common];
  return isVersion || isProxy ? [...all, 'Immutable'] : all;
}

/** The change token of a proxy: its own token, a slash, and the token of the version whose content it shows. */
async function tokenOfProxy(row: DocumentRow, targetId: string, { load }: Context): Promise<string> {
  const target = await load.changeTokensById.load(targetId);
  return target ? `${changeToken(row)}/${changeToken(target)}` : changeToken(row);
}

export const shownChangeToken = (row: DocumentRow, context: Context): string | Promise<string> =>
  row.targetId ? tokenOfProxy(row, row.targetId, context) : changeToken(row);
