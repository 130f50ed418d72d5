/**
 * Whether a text has more characters (code points, so that an emoji counts once) than a limit. Characters are
 * counted up to the limit only, and not at all where the number of UTF-16 units decides.
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
