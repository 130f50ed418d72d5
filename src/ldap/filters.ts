import { usernamePlace } from '../security/identity-settings.ts';

/** Escapes a value for a filter (RFC 4515), so that it can neither end its condition nor match several values. */
const escaped = (value: string): string =>
  value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Returns the filter that finds the user with a name. */
export const userFilter = (template: string, username: string): string =>
  template.replaceAll(usernamePlace, () => escaped(username));

/** Returns the filter that finds all users. */
export const everyUserFilter = (template: string): string => template.replaceAll(usernamePlace, '*');

/** Returns the fault in the syntax of a filter; undefined if there is none. */
export async function filterFault(template: string): Promise<string | undefined> {
  const { FilterParser } = await import('ldapts');
  try {
    FilterParser.parseString(userFilter(template, 'name'));
    return undefined;
  } catch (error) {
    return `is not a valid filter: ${(error as Error).message}`;
  }
}
