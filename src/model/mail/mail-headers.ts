import { z } from 'zod';

/** The maximum number of characters in a subject. */
const maxSubjectCharacters = 255;

const address = z.email({ pattern: z.regexes.html5Email }).max(254);

/** Returns whether a string is exactly one email address, without a display name, a second address or a line break. */
export const isMailAddress = (text: string): boolean => address.safeParse(text).success;

/**
 * Returns what is wrong with the subject of an email; undefined if it is valid. Line breaks are rejected, because
 * they could start another header (header injection).
 */
export function subjectFault(subject: string): string | undefined {
  if (subject.trim() === '') return 'is empty';
  if (subject.length > maxSubjectCharacters)
    return `has ${subject.length} characters; the maximum is ${maxSubjectCharacters}`;
  return /[\p{Cc}\u2028\u2029]/u.test(subject)
    ? 'contains a line break or another control character'
    : undefined;
}
