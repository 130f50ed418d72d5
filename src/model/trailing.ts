/**
 * Removes all of the given characters from the end of a string. A regular expression such as /[x]+$/ would take
 * quadratic time, because it would try to match at each occurrence of such a character.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
