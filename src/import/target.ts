import type { Client } from '../db/database.ts';
import { Invalid, NotFound } from '../errors.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { Model } from '../model/model.ts';

/**
 * The document below which an import goes.
 * @returns its id.
 * @throws NotFound, Invalid when it is none that holds others.
 */
export async function targetAt(
  { prisma }: Client,
  model: Model,
  { repository, path }: { repository: string; path: string },
): Promise<string> {
  const plain = path === '/' ? path : path.replace(/\/+$/, '');
  const found = await prisma.document.findFirst({
    where: { repository, path: plain, isVersion: false },
    select: { id: true, type: true, facets: true },
  });
  if (!found) throw new NotFound(`there is no document ${path} in the repository ${repository}`);
  if (!facetsOf(model, found).includes('Folderish'))
    throw new Invalid(`${path} is a ${found.type}, not a folder`);
  return found.id;
}
