/** The pattern for LIKE of everything that begins with a text. */
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;
