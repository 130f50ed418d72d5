/**
 * Removes from the end of a text all characters that are in `characters`. A regular expression such as /[x]+$/ would
 * start a match attempt at each of these characters anywhere in the text, which takes quadratic time.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
