export const languages = ['en', 'fr'] as const;

export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

const isLanguage = (name: string): name is Language => (languages as readonly string[]).includes(name);

const key = 'quire-language';

const preferred = (): Language =>
  [localStorage.getItem(key) ?? '', ...navigator.languages.map((tag) => tag.slice(0, 2))].find(isLanguage) ??
  'en';

let current: Language = preferred();

export const language = (): Language => current;

/** Stores the language of the page. The caller must then render the page again. */
export function chooseLanguage(chosen: Language): void {
  current = chosen;
  localStorage.setItem(key, chosen);
  document.documentElement.lang = chosen;
}
