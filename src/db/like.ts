/** The pattern for LIKE of everything that begins with a text. */
export const beginningWith = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;
