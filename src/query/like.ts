/** Returns the LIKE pattern that matches all strings with the given prefix. */
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Returns the SQL condition that a string begins with a parameter, ignoring case. It uses an index on `lower(text)
 * text_pattern_ops`. LIKE could use such an index only if the statement were planned for each value separately.
 * @param text the SQL expression for the string
 * @param parameter the SQL of the parameter, such as `$1`
 */
export const beginsIgnoringCase = (text: string, parameter: string): string => {
  const [lowered, prefix] = [`lower(${text})`, `lower(${parameter}::text)`];
  return `${lowered} ~>=~ ${prefix} AND ${lowered} ~<~ (${prefix} || chr(1114111))`;
};
