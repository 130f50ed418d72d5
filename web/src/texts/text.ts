import en from './en.json';
import fr from './fr.json';
import { type Language, language } from './language.ts';

export type TextKey = keyof typeof en;

const catalogues: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, fr };

/**
 * Returns the key of the singular text if there is such a text and the language uses the singular for the count;
 * otherwise returns the key itself.
 */
function formOf(key: TextKey, count: string | number | undefined): TextKey {
  const one = `${key}.one`;
  const isOne = new Intl.PluralRules(language()).select(Number(count ?? Number.NaN)) === 'one';
  return isOne && one in en ? (one as TextKey) : key;
}

/** Returns a text in the language of the page, with its `{placeholders}` filled in. */
export const text = (key: TextKey, values: Readonly<Record<string, string | number>> = {}): string =>
  catalogues[language()][formOf(key, values.count)].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name] ?? ''),
  );

/** Returns the text for a key that is composed at run time, or `name` if there is no such text. */
export const textOr = (key: string, name: string, values?: Readonly<Record<string, string>>): string =>
  key in en ? text(key as TextKey, values) : name;
