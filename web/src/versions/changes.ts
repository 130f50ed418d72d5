import { diffWordsWithSpace } from 'diff';

export type Properties = Readonly<Record<string, unknown>>;

/**
 * A part of a comparison: text that both versions contain, text that only the older or the newer version contains, or a
 * gap in place of omitted text.
 */
export interface Part {
  readonly kind: 'same' | 'removed' | 'added' | 'gap';
  readonly text: string;
}

/** The changes to a property between two versions, as parts of a text. */
export interface Change {
  readonly name: string;
  readonly parts: readonly Part[];
}

/**
 * Matches properties that are not compared, because the server changes them with every write or because they are shown
 * elsewhere on the page.
 */
const excluded =
  /^(dc:modified|dc:lastContributor|dc:contributors|uid:|common:|thumb:|relatedtext:|picture:)/;

/** The number of unchanged lines to show before and after a change. */
const contextLines = 2;

/**
 * The number of milliseconds after which the comparison of two texts word by word is abandoned. The effort grows with
 * the product of the lengths of the texts, and the page does not respond during the comparison.
 */
const comparisonTimeout = 500;

export const isSet = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

function shownText(value: unknown): string {
  if (!isSet(value)) return '';
  if (Array.isArray(value)) return value.map(shownText).join('\n');
  if (typeof value !== 'object') return String(value);
  const { name } = value as { name?: unknown };
  return typeof name === 'string' ? name : JSON.stringify(value);
}

/**
 * Shortens an unchanged part: lines that are further from a change than the context are replaced with a gap.
 */
function shortened(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): Part[] {
  const lines = text.split('\n');
  const before = isFirst ? 0 : contextLines + 1;
  const after = isLast ? 0 : contextLines + 1;
  if (lines.length <= before + after + 1) return [{ kind: 'same', text }];
  const same = (kept: readonly string[], end = ''): Part[] =>
    kept.length > 0 ? [{ kind: 'same', text: `${kept.join('\n')}${end}` }] : [];
  return [
    ...same(lines.slice(0, before), '\n'),
    { kind: 'gap', text: '' },
    ...same(lines.slice(lines.length - after)),
  ];
}

/**
 * Compares two texts word by word. Returns the differences, with some lines of context around each of them.
 */
function partsOf(from: string, to: string): readonly Part[] {
  const found = diffWordsWithSpace(from, to, { timeout: comparisonTimeout });
  if (!found)
    return [
      { kind: 'removed', text: from },
      { kind: 'added', text: to },
    ];
  return found.flatMap(({ value, added, removed }, index): Part[] => {
    if (added) return [{ kind: 'added', text: value }];
    if (removed) return [{ kind: 'removed', text: value }];
    return shortened(value, { isFirst: index === 0, isLast: index === found.length - 1 });
  });
}

/**
 * Returns a string that is the same for equal values. The URLs of files are omitted: they contain the version's id, so
 * they would differ even if the bytes are the same.
 */
const comparable = (value: unknown): string =>
  isSet(value)
    ? JSON.stringify(value, (key, part: unknown) => (key === 'data' || key === 'blobUrl' ? undefined : part))
    : '';

/** Returns the properties that differ between two versions. */
export function changesBetween(before: Properties, after: Properties): Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !excluded.test(name) && comparable(before[name]) !== comparable(after[name]))
    .map((name) => ({ name, parts: partsOf(shownText(before[name]), shownText(after[name])) }));
}
