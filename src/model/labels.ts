import { readFileSync } from 'node:fs';

/** The languages of labels, the first being the one of whoever does not say. */
export const languages = ['en', 'fr'] as const;

export type Language = (typeof languages)[number];

/** From src/model and dist/model alike. */
const read = (language: Language): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`../../src/model/data/labels/${language}.json`, import.meta.url), 'utf8'));

const texts = new Map<Language, Readonly<Record<string, string>>>();

/** The text of a label key, `label.directories.country.France` say; a key without one stands for itself. */
export function labelText(key: string, language: Language): string {
  const known = texts.get(language) ?? read(language);
  texts.set(language, known);
  return (Object.hasOwn(known, key) ? known[key] : undefined) ?? key;
}
