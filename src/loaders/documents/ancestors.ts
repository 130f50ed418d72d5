import type { DocumentRow } from './document-row.ts';
import { type DocumentLoader, loadReadable } from './documents.ts';

type Below = Pick<DocumentRow, 'ancestorIds'>;

/** What is known of the ancestors of documents, by their ids: documents of one folder have the same. */
class SharedAncestors {
  readonly rows = new Map<string, Promise<DocumentRow[]>>();
  readonly prefetched = new Set<string>();
}

/** By the loader of a request's documents. */
const known = new WeakMap<DocumentLoader, SharedAncestors>();

function sharedBy(documents: DocumentLoader): SharedAncestors {
  const shared = known.get(documents) ?? new SharedAncestors();
  known.set(documents, shared);
  return shared;
}

/** The ancestors of a document that the caller may read, root first: found once for all of a folder. */
export function readableAncestors(documents: DocumentLoader, { ancestorIds }: Below): Promise<DocumentRow[]> {
  const { rows } = sharedBy(documents);
  const key = ancestorIds.join();
  const found = rows.get(key) ?? loadReadable(documents, ancestorIds);
  rows.set(key, found);
  return found;
}

/** True at the first call of a request for documents with these ancestors. */
export function isFirstOfFolder(documents: DocumentLoader, { ancestorIds }: Below): boolean {
  const { prefetched } = sharedBy(documents);
  const { size } = prefetched;
  return prefetched.add(ancestorIds.join()).size > size;
}
