import type { DocumentRow } from './document-row.ts';
import { type DocumentLoader, loadReadable } from './documents.ts';

type Below = Pick<DocumentRow, 'ancestorIds'>;

/**
 * The ancestors that one request has loaded, by their concatenated ids. Documents in the same folder share an entry.
 */
class SharedAncestors {
  readonly rows = new Map<string, Promise<DocumentRow[]>>();
  readonly prefetched = new Set<string>();
}

/** The ancestors that each request has loaded, by the request's document loader. */
const sharedAncestors = new WeakMap<DocumentLoader, SharedAncestors>();

function sharedBy(documents: DocumentLoader): SharedAncestors {
  const shared = sharedAncestors.get(documents) ?? new SharedAncestors();
  sharedAncestors.set(documents, shared);
  return shared;
}

/** The readable ancestors of a document, starting with the root. Documents in the same folder share one lookup. */
export function readableAncestors(documents: DocumentLoader, { ancestorIds }: Below): Promise<DocumentRow[]> {
  const { rows } = sharedBy(documents);
  const key = ancestorIds.join();
  const found = rows.get(key) ?? loadReadable(documents, ancestorIds);
  rows.set(key, found);
  return found;
}

/** Whether this is the first call during the request for a document with these ancestors. */
export function isFirstOfFolder(documents: DocumentLoader, { ancestorIds }: Below): boolean {
  const { prefetched } = sharedBy(documents);
  const { size } = prefetched;
  return prefetched.add(ancestorIds.join()).size > size;
}
