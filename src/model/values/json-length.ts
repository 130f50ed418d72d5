/**
 * A lower bound of the size in bytes of a value's JSON, without serializing it: a string counts with its UTF-16 units.
 * Counting stops when the limit is exceeded.
 * @param isLeftOut whether an inner value is not counted, such as a list that can be truncated.
 */
export function minJsonBytes(value: unknown, limit: number, isLeftOut?: (value: object) => boolean): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 2;
  if (isLeftOut?.(value)) return sum;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && sum <= limit; index += 1)
      if (value[index] !== undefined) sum += minJsonBytes(value[index], limit - sum, isLeftOut);
    return sum;
  }
  // `for … in` takes four times as long, because the objects of a response have many shapes.
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined) continue;
    sum += minJsonBytes(inner, limit - sum, isLeftOut) + key.length + 3; // quotes and a colon
    if (sum > limit) break;
  }
  return sum;
}
