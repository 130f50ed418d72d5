import { Invalid } from '../errors.ts';
import { withoutTrailing } from './trailing.ts';

/** A reference to a document, by exactly one of its id and its path. */
export interface DocumentReference {
  readonly id?: string | null | undefined;
  readonly path?: string | null | undefined;
}

const uuidLength = 36;

/**
 * Normalizes a reference: ids to lower case, paths without trailing slashes.
 * @throws Invalid unless exactly one is set.
 */
export function referenceKey({ id, path }: DocumentReference): { by: 'id' | 'path'; value: string } {
  if (typeof id === 'string' && typeof path !== 'string')
    return { by: 'id', value: id.length > uuidLength ? id : id.toLowerCase() }; // a longer one does not exist
  if (typeof path === 'string' && typeof id !== 'string') {
    // Trailing slashes are ignored, except that "/" is the path of the root.
    return { by: 'path', value: withoutTrailing(path, '/') || path.slice(0, 1) };
  }
  throw new Invalid('A document is addressed either by its id or by its path; exactly one is required.');
}
