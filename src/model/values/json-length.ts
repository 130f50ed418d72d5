/**
 * A lower bound of the size in bytes of a value's JSON, without serializing it: a string counts with its UTF-16 units.
 * Counting stops when the limit is exceeded.
 * @param isLeftOut whether an inner value is not counted, such as a list that can be truncated.
 */
export function minJsonBytes(
  value: unknown,
  limit: number,
  isLeftOut: (value: object) => boolean = () => false,
): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 2;
  if (isLeftOut(value)) return sum;
  const isArray = Array.isArray(value);
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined) continue;
    sum += minJsonBytes(inner, limit - sum, isLeftOut);
    if (!isArray) sum += key.length + 3; // quotes and a colon
    if (sum > limit) break;
  }
  return sum;
}
