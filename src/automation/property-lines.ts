/**
 * Reads lines of `name=value`, as clients write properties: a backslash at the end of a line means that the value has
 * a line break there, `#` begins a comment, nothing else is escaped.
 * @returns what is wrong, in words, when they cannot be read.
 */
export function readLines(text: string): Record<string, string> | string {
  const found: Array<[string, string]> = [];
  let open: string | undefined;
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (open === undefined && (line.trim() === '' || line.startsWith('#'))) continue;
    const whole: string = open === undefined ? line : `${open}\n${line}`;
    open = line.endsWith('\\') && index < lines.length - 1 ? whole.slice(0, -1) : undefined;
    if (open !== undefined) continue;
    const at = whole.indexOf('=');
    const name = whole.slice(0, Math.max(at, 0)).trim();
    if (name === '') return `line ${index + 1} is not of the form name=value`;
    found.push([name, whole.slice(at + 1)]);
  }
  return Object.fromEntries(found);
}
