import type { Context } from '../../loaders/context.ts';
import type { StoredEntry } from '../../loaders/directories/source.ts';
import { renderEntry } from '../../model/directories/render-entry.ts';
import { type Language, labelText, languageNamed } from '../../model/labels.ts';
import type { Directory } from '../../model/model.ts';
import { flag, text } from '../params/kinds.ts';

/**
 * Returns the language for labels.
 * @param lang a language such as `fr`, `fr_FR` or `fr-CA`; if the server has no labels in this language, the language
 * of the request is used
 */
export const labelLanguage = ({ options }: Pick<Context, 'options'>, lang: string | undefined): Language =>
  languageNamed(lang?.split(/[-_]/, 1)[0]?.toLowerCase()) ?? options.language;

export const labelParams = {
  translateLabels: flag.withDefault(false, 'Whether labels that are message keys are translated.'),
  lang: text.optional('The language of the labels; defaults to the language of the request.'),
};

export function renderEntries(
  context: Context,
  directory: Directory,
  entries: readonly StoredEntry[],
  { translateLabels, lang }: { translateLabels: boolean; lang?: string | undefined },
): Array<Record<string, unknown>> {
  const language = labelLanguage(context, lang);
  return entries.map((entry) =>
    renderEntry(directory, entry, (name, value) =>
      translateLabels && name === 'label' ? labelText(value, language) : value,
    ),
  );
}
