import type { Compilation, Operand } from '../operand.ts';
import { indexedValueOf, isIndexableKind } from './indexed-values.ts';

/**
 * Returns the SQL expression on which the declared index of a property is defined, so that PostgreSQL can use the index
 * for sorting. Returns undefined if there is no such index.
 */
export function indexedOrderOf(
  { isIndexed, term, kind }: Operand,
  { parameters }: Compilation,
): string | undefined {
  if (!isIndexed || term === undefined || !isIndexableKind(kind)) return undefined;
  return indexedValueOf(term, kind, parameters);
}
