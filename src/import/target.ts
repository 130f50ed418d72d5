import type { Client } from '../db/database.ts';
import { Invalid, NotFound } from '../errors.ts';
import { documentAtPath } from '../loaders/documents/unchecked.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { Model } from '../model/model.ts';
import { withoutTrailing } from '../model/trailing.ts';

/**
 * Finds the target document of an import.
 * @returns the id of the document.
 * @throws NotFound if it does not exist; Invalid if it cannot have children.
 */
export async function targetAt(
  client: Client,
  model: Model,
  { repository, path }: { repository: string; path: string },
): Promise<string> {
  const plain = path === '/' ? path : withoutTrailing(path, '/');
  const found = await documentAtPath({ db: client, options: { repository } }, plain);
  if (!found) throw new NotFound(`There is no document at ${path} in the repository ${repository}.`);
  if (!facetsOf(model, found).includes('Folderish'))
    throw new Invalid(`${path} is a ${found.type}, not a folder.`);
  return found.id;
}
