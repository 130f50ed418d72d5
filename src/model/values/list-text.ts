/** The trimmed items of a comma-separated text, without empty ones. */
export const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export const isJsonList = (text: string): boolean => /^\s*\[/.test(text);

/** Reads a list from text: JSON, or comma-separated items; undefined on faulty JSON. */
export function readListText(text: string): unknown[] | undefined {
  if (!isJsonList(text)) return splitAtCommas(text);
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return undefined;
  }
}
