const tag = /(?:W\/)?"([^"]*)"/g;

/**
 * The entity tags in a conditional header, weak or strong, without their quotes; `*` if the header matches
 * any.
 */
export const entityTags = (header: string): '*' | readonly string[] =>
  header.trim() === '*' ? '*' : [...header.matchAll(tag)].map(([, whole = '']) => whole);

export function isTagNamed(header: string, name: string): boolean {
  const tags = entityTags(header);
  return tags === '*' || tags.includes(name);
}
