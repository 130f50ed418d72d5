const tag = /(?:W\/)?"([^"]*)"/g;

/**
 * Returns the weak and strong entity tags in a conditional header, without their quotes, or `*` if the header matches
 * any state.
 */
export const entityTags = (header: string): '*' | readonly string[] =>
  header.trim() === '*' ? '*' : [...header.matchAll(tag)].map(([, whole = '']) => whole);

export function isTagNamed(header: string, name: string): boolean {
  const tags = entityTags(header);
  return tags === '*' || tags.includes(name);
}
