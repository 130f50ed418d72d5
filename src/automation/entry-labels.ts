import type { Context } from '../context.ts';
import type { Entry } from '../directories/source.ts';
import { type Language, labelText, languages } from '../model/labels.ts';
import type { Directory } from '../model/model.ts';
import { showEntry } from '../model/show-entry.ts';
import { flag, text } from './kinds.ts';
import { optional, optionally } from './params.ts';

/** The language that a text names, `fr`, `fr_FR` or `fr-CA`; else that of the request. */
export const languageOf = ({ options }: Context, lang: string | undefined): Language =>
  languages.find((language) => language === lang?.slice(0, 2).toLowerCase()) ?? options.language;

/** How the labels of entries are shown. */
export const labelParams = {
  translateLabels: optionally(flag, false, 'Whether labels that are keys become their texts.'),
  lang: optional(text, 'The language of these texts; else that of the request.'),
};

/** Entries as JSON by field, the ids among them. */
export function showEntries(
  context: Context,
  directory: Directory,
  entries: readonly Entry[],
  { translateLabels, lang }: { translateLabels: boolean; lang?: string | undefined },
): Array<Record<string, unknown>> {
  const language = languageOf(context, lang);
  return entries.map((entry) =>
    showEntry(directory, entry, (name, value) =>
      translateLabels && name === 'label' ? labelText(value, language) : value,
    ),
  );
}
