/**
 * Returns a lower bound on the length of a value's JSON in bytes without serializing it. For a string, the number of
 * UTF-16 code units is counted. Counting stops at the limit.
 * @param isLeftOut returns whether to exclude an inner value, such as a list that can be truncated
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
  // `for … in` would take four times as long, because the objects in a response have many different shapes.
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined) continue;
    sum += minJsonBytes(inner, limit - sum, isLeftOut) + key.length + 3; // The quotes and the colon.
    if (sum > limit) break;
  }
  return sum;
}
