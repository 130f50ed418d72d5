import type { Loaders } from '../loaders/index.ts';

/** Enrichers that read by the ids of documents alone, and how: before the documents are enriched, or even known. */
const readers: Readonly<Record<string, (load: Loaders, ids: readonly string[]) => Promise<unknown>>> = {
  acls: ({ acls }, ids) => acls.loadMany(ids),
  favorites: ({ isFavorite }, ids) => Promise.all(ids.map((id) => isFavorite(id))),
};

/** Of some enrichers, those that `readAhead` does something for. */
export const readingAhead = (names: readonly string[]): string[] =>
  names.filter((name) => Object.hasOwn(readers, name));

/** Reads what enrichers will want of documents, together with what is read meanwhile: it is asked for again, and known. */
export async function readAhead(
  load: Loaders,
  names: readonly string[],
  ids: readonly string[],
): Promise<void> {
  const wanted = Object.entries(readers).filter(([name]) => names.includes(name));
  await Promise.all(wanted.map(([, read]) => read(load, ids)));
}
