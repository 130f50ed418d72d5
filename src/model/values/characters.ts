/**
 * Returns whether a string has more characters than a limit. A character is a Unicode code point, so most emoji count
 * as one. Characters are counted only if the number of UTF-16 code units is not conclusive, and only up to the limit.
 */
export function hasMoreCharacters(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let characters = 0;
  for (const _ of text) {
    characters += 1;
    if (characters > limit) return true;
  }
  return false;
}
