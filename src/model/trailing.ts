/**
 * The text without the characters at its end that are one of some. A regular expression would begin anew at
 * each of them, which takes quadratic time.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
