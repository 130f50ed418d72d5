import { Invalid } from '../errors.ts';
import { fieldOf, isFields, type StoredProperties, type StoredValue } from './values/stored.ts';

/** A list of labels, each with the user who added it. */
export const tagsProperty = 'nxtag:tags';

/** Labels are in NFC and in lower case, without blanks and some special characters. */
export const normalizeLabel = (given: string): string =>
  given
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s/\\'%]/g, '');

/** @throws Invalid when the normalized label is empty. */
export function toTagLabel(given: string): string {
  const label = normalizeLabel(given);
  if (label === '') throw new Invalid(`tags: "${given}" is no label`);
  return label;
}

/** Checks tags that a client writes as a property. @throws Invalid on a missing or empty label. */
export function requireLabels(properties: StoredProperties): void {
  tagsOf(properties).forEach((tag, index) => {
    const label = labelOf(tag) ?? '';
    if (normalizeLabel(label) === '')
      throw new Invalid(`${tagsProperty}/${index}/label: "${label}" is no label`);
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
