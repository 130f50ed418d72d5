/** The maximum depth of values. A value that contains itself exceeds it. */
const maxDepth = 100;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * Returns why a value that a function of an extension returned cannot be represented as JSON, such as "a function at
 * .totals.0"; undefined if it can. Dates and other objects with `toJSON` are valid.
 */
export function jsonFault(value: unknown, at = '', depth = 0): string | undefined {
  const where = at === '' ? '' : ` at ${at}`;
  if (depth > maxDepth) return `more than ${maxDepth} levels, or a value that contains itself`;
  if (['bigint', 'function', 'symbol'].includes(typeof value)) return `a ${typeof value}${where}`;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('toJSON' in value && typeof value.toJSON === 'function') return undefined;
  if (!Array.isArray(value) && !isPlain(value)) return `a ${value.constructor?.name ?? 'class'}${where}`;
  for (const [name, item] of Object.entries(value)) {
    const fault = jsonFault(item, `${at}.${name}`, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
