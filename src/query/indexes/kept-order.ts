import type { Compilation, Operand } from '../operand.ts';
import { isKeptKind, keptOf } from './kept-values.ts';

/**
 * The SQL of the value by which an index has the order of a property; undefined where there is no index.
 * @param length how many parameters there were before the operand's, which are not in the text then.
 */
export function keptOrderOf(
  { isKept, term, kind }: Operand,
  { parameters }: Compilation,
  length: number,
): string | undefined {
  if (!isKept || term === undefined || !isKeptKind(kind)) return undefined;
  parameters.keep(length);
  return keptOf(term, kind, parameters);
}
