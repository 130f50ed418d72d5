/**
 * Reads lines of `name=value`. A backslash at the end of a line continues the value after a line break; a
 * line that begins with `#` is a comment; nothing else is escaped.
 * @returns a text that says what is wrong, when a line cannot be read
 */
export function parsePropertyLines(text: string): Record<string, string> | string {
  const properties: Array<[string, string]> = [];
  let open: string | undefined;
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (open === undefined && (line.trim() === '' || line.startsWith('#'))) continue;
    const whole: string = open === undefined ? line : `${open}\n${line}`;
    open = line.endsWith('\\') && index < lines.length - 1 ? whole.slice(0, -1) : undefined;
    if (open !== undefined) continue;
    const separator = whole.indexOf('=');
    const name = whole.slice(0, Math.max(separator, 0)).trim();
    if (name === '') return `line ${index + 1} is not of the form name=value`;
    properties.push([name, whole.slice(separator + 1)]);
  }
  return Object.fromEntries(properties);
}
