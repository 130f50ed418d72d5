import { Invalid } from '../errors.ts';
import { withoutTrailing } from './trailing.ts';

/** A reference to a document by its id or by its path. */
export interface DocumentReference {
  readonly id?: string | null | undefined;
  readonly path?: string | null | undefined;
}

const uuidLength = 36;

/**
 * Normalizes a reference: ids are converted to lower case, and trailing slashes are removed from paths.
 * @throws Invalid unless exactly one of id and path is set
 */
export function referenceKey({ id, path }: DocumentReference): { by: 'id' | 'path'; value: string } {
  if (typeof id === 'string' && typeof path !== 'string')
    return { by: 'id', value: id.length > uuidLength ? id : id.toLowerCase() }; // No id is longer than a UUID.
  if (typeof path === 'string' && typeof id !== 'string') {
    // Trailing slashes are removed, except from "/", the path of the root.
    return { by: 'path', value: withoutTrailing(path, '/') || path.slice(0, 1) };
  }
  throw new Invalid('Either the id or the path of the document must be given, but not both.');
}
