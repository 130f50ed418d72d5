import { readFileSync } from 'node:fs';
import { fieldOf } from './values/stored.ts';

/** The languages in which labels are available; the first one is the default. */
export const languages = ['en', 'fr'] as const;

export type Language = (typeof languages)[number];

export const languageNamed = (name: unknown): Language | undefined =>
  languages.find((language) => language === name);

/**
 * Reads the labels of a language. Compiled code also reads the files in `src`, because the compiler does not copy JSON
 * files.
 */
const read = (language: Language): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`../../src/model/data/labels/${language}.json`, import.meta.url), 'utf8'));

const texts = new Map<Language, Readonly<Record<string, string>>>();

/**
 * Returns the text for a message key, such as `label.directories.country.France`. Returns the key itself if there
 * is no text.
 */
export function labelText(key: string, language: Language): string {
  const labels = texts.get(language) ?? read(language);
  texts.set(language, labels);
  return fieldOf(labels, key) ?? key;
}

/**
 * Returns the text for a message key, with each `{name}` replaced by a value. Braces in the values are not
 * replaced.
 */
export const filledLabel = (
  key: string,
  language: Language,
  values: Readonly<Record<string, string>>,
): string => labelText(key, language).replace(/\{(\w+)\}/g, (_, name: string) => fieldOf(values, name) ?? '');
