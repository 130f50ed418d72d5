import { z } from 'zod';

/** In characters. */
const longestSubject = 255;

const address = z.email({ pattern: z.regexes.html5Email }).max(254);

/** Whether a text is one e-mail address and nothing else: no line break, no second one, no display name. */
export const isMailAddress = (text: string): boolean => address.safeParse(text).success;

/** What is wrong with a subject: a line break in it would begin another header. */
export function subjectFault(subject: string): string | undefined {
  if (subject.trim() === '') return 'is empty';
  if (subject.length > longestSubject) return `${subject.length} characters, at most ${longestSubject}`;
  return /[\p{Cc}\u2028\u2029]/u.test(subject) ? 'has a line break or another control character' : undefined;
}
