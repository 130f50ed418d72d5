/**
 * Bytes that the JSON of a value has at least, without serializing it: texts are counted by their characters. Counting
 * ends above the limit.
 * @param isLeftOut whether a value inside does not count, such as a list that can be cut.
 */
export function leastJsonBytes(
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
    sum += leastJsonBytes(inner, limit - sum, isLeftOut);
    if (!isArray) sum += key.length + 3; // quotes and a colon
    if (sum > limit) break;
  }
  return sum;
}
