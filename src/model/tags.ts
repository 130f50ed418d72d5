import { Invalid } from '../errors.ts';
import { fieldOf, isFields, type StoredProperties, type StoredValue } from './stored.ts';

/** Where a document's tags are: who put which label there. */
export const tagsProperty = 'nxtag:tags';

/** The most characters of a label: an index holds them. */
const longestLabel = 255;

/** A label as it is looked for: in lower case, without what no label has. */
export const cleanLabel = (given: string): string => given.toLowerCase().replace(/[\s/\\'%]/g, '');

/** A label as it is kept. @throws Invalid when nothing is left of it, or too much. */
export function tagLabel(given: string): string {
  const label = cleanLabel(given);
  if (label === '') throw new Invalid(`tags: "${given}" is no label`);
  if ([...label].length > longestLabel)
    throw new Invalid(`tags: a label has at most ${longestLabel} characters`);
  return label;
}

/** @throws Invalid when somebody writes, by hand, a tag with a label of which nothing is left, or without one. */
export function requireLabels(properties: StoredProperties): void {
  tagsOf(properties).forEach((tag, index) => {
    const label = labelOf(tag) ?? '';
    if (cleanLabel(label) === '') throw new Invalid(`${tagsProperty}/${index}/label: "${label}" is no label`);
  });
}

/** The tags of a document as they are stored. */
export function tagsOf(properties: StoredProperties): readonly StoredValue[] {
  const tags = properties[tagsProperty];
  return Array.isArray(tags) ? tags : [];
}

/** The label of a tag, if it has one. */
export function labelOf(tag: StoredValue): string | undefined {
  const label = isFields(tag) ? fieldOf(tag, 'label') : undefined;
  return typeof label === 'string' && label !== '' ? label : undefined;
}

/** The labels of a document, each once, in order. */
export const labelsOf = (properties: StoredProperties): string[] =>
  [...new Set(tagsOf(properties).flatMap((tag) => labelOf(tag) ?? []))].sort();
