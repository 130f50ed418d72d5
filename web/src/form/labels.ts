import { textOr } from '../texts/text.ts';

/** Converts a field name to a label. For example, `lastContributor` becomes `Last contributor`. */
function spelled(name: string): string {
  const words = name
    .replace(/^[^:]*:/, '')
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const fieldLabel = (name: string): string => textOr(`field.${name}`, spelled(name));

export const schemaLabel = (name: string): string => textOr(`schema.${name}`, spelled(name));
