/** The LIKE pattern that matches all texts with a prefix. */
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * SQL: whether a text begins with a parameter, ignoring case, by an index of `lower(text) text_pattern_ops`. LIKE would use
 * the index only in a plan of its own for each value.
 * @param text SQL
 * @param parameter such as `$1`
 */
export const beginsIgnoringCase = (text: string, parameter: string): string => {
  const [lowered, prefix] = [`lower(${text})`, `lower(${parameter}::text)`];
  return `${lowered} ~>=~ ${prefix} AND ${lowered} ~<~ (${prefix} || chr(1114111))`;
};
