import { Invalid } from '../errors.ts';
import { fieldOf, isFields, type StoredProperties, type StoredValue } from './values/stored.ts';

/** The property that holds the tags of a document: a list of labels, each with the user who added it. */
export const tagsProperty = 'nxtag:tags';

/** Normalizes the label of a tag: NFC, lower case, without blanks and the characters / \ ' %. */
export const normalizeLabel = (input: string): string =>
  input
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s/\\'%]+/g, '');

/** Normalizes a label. @throws Invalid if the result is empty. */
export function toTagLabel(input: string): string {
  const label = normalizeLabel(input);
  if (label === '') throw new Invalid(`tags: "${input}" is not a valid label`);
  return label;
}

/** Checks the tags in properties that a client writes. @throws Invalid for a missing or empty label. */
export function requireLabels(properties: StoredProperties): void {
  tagsOf(properties).forEach((tag, index) => {
    const label = labelOf(tag) ?? '';
    if (normalizeLabel(label) === '')
      throw new Invalid(`${tagsProperty}/${index}/label: "${label}" is not a valid label`);
  });
}

export function tagsOf(properties: StoredProperties): readonly StoredValue[] {
  const tags = properties[tagsProperty];
  return Array.isArray(tags) ? tags : [];
}

export function labelOf(tag: StoredValue): string | undefined {
  const label = isFields(tag) ? fieldOf(tag, 'label') : undefined;
  return typeof label === 'string' && label !== '' ? label : undefined;
}

export const labelsOf = (properties: StoredProperties): string[] =>
  [...new Set(tagsOf(properties).flatMap((tag) => labelOf(tag) ?? []))].sort();
