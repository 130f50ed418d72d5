import { send } from '../graphql/client.ts';
import { createVersion, type ExistingFragment, existingDocuments } from '../graphql/operations.ts';
import { text } from '../texts/text.ts';
import type { DroppedFile } from './uploads.ts';

/** The maximum number of paths in one query. */
const maxPaths = 200;

/** Returns the path that a file's document gets unless another document already has it. */
export const pathOf = (into: string, { file, folders }: DroppedFile): string =>
  [into === '/' ? '' : into, ...folders, file.name.normalize('NFC')].join('/');

async function findAt(paths: readonly string[]): Promise<readonly ExistingFragment[]> {
  const places = paths.map(() => '?').join(', ');
  const query = `SELECT * FROM Document WHERE ecm:path IN (${places}) AND ecm:isTrashed = 0 AND ecm:isVersion = 0 AND ecm:isProxy = 0`;
  const { search } = await send(existingDocuments, { query, paths: [...paths] });
  return search.entries.filter(({ facets }) => !facets.includes('Folderish'));
}

/** Returns the documents that already exist at the paths to which files are to be uploaded, by path. */
export async function existingFor(
  into: string,
  files: readonly DroppedFile[],
): Promise<ReadonlyMap<string, ExistingFragment>> {
  const paths = files.map((file) => pathOf(into, file));
  const found = new Map<string, ExistingFragment>();
  for (let start = 0; start < paths.length; start += maxPaths)
    for (const each of await findAt(paths.slice(start, start + maxPaths))) found.set(each.path, each);
  return found;
}

export const isVersionable = ({ facets }: ExistingFragment): boolean => facets.includes('Versionable');

/** Stores the current content of a document as a version, unless the latest version already contains it. */
export async function keepContent(document: ExistingFragment): Promise<void> {
  const { uid, isCheckedOut } = document;
  if (isCheckedOut && isVersionable(document))
    await send(createVersion, { id: uid, version: 'minor', comment: text('upload.beforeComment') });
}
