import { Invalid } from '../errors.ts';
import { fieldOf, isFields, type StoredProperties, type StoredValue } from './values/stored.ts';

/** The property that contains the tags of a document: a list of labels, each with the user who added it. */
export const tagsProperty = 'nxtag:tags';

/** The maximum length of labels that are normalized, in UTF-16 code units. */
const maxNormalized = 1_000;

/**
 * Normalizes a tag's label: converts it to NFC and lower case, and removes blanks and the characters / \ ' %. Input of
 * more than 1,000 UTF-16 code units is returned unchanged, because normalizing it would take too long. The schema
 * rejects it anyway, because it allows at most 255 characters.
 */
export const normalizeLabel = (input: string): string =>
  input.length > maxNormalized
    ? input
    : input
        .normalize('NFC')
        .toLowerCase()
        .replace(/[\s/\\'%]+/g, '');

/**
 * Normalizes a label.
 * @throws Invalid if the result is empty
 */
export function toTagLabel(input: string): string {
  const label = normalizeLabel(input);
  if (label === '') throw new Invalid(`tags: "${input}" is not a valid label`);
  return label;
}

/**
 * Checks the tags in properties that a client writes.
 * @throws Invalid if a label is missing or empty
 */
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
