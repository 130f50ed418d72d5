import { TooLarge } from '../../errors.ts';
import { JsonBudget, maxJsonFields } from '../../model/values/json-budget.ts';

/**
 * Parses lines of the form `name=value`. If a line ends with a backslash, the value continues on the next line and
 * contains the line break. A line that begins with `#` is a comment. There are no other escapes.
 * @returns an error message if a line is invalid
 * @throws TooLarge if there are more lines than the limit on JSON values, or more properties than the limit on fields
 * of an object
 */
export function parsePropertyLines(text: string): Record<string, string> | string {
  new JsonBudget().spendItems(text, '\n', 'the text');
  const properties: Record<string, string> = {};
  let count = 0;
  let open: string[] = [];
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (open.length === 0 && (line.trim() === '' || line.startsWith('#'))) continue;
    if (line.endsWith('\\') && index < lines.length - 1) {
      open.push(line.slice(0, -1));
      continue;
    }
    const whole = open.length === 0 ? line : [...open, line].join('\n');
    if (open.length > 0) open = [];
    const separator = whole.indexOf('=');
    const name = whole.slice(0, Math.max(separator, 0)).trim();
    if (name === '') return `line ${index + 1} is not of the form name=value`;
    if (name === '__proto__') return `line ${index + 1}: __proto__ is not a name`;
    count += 1;
    if (count > maxJsonFields) throw new TooLarge(`the text has more than ${maxJsonFields} properties`);
    properties[name] = whole.slice(separator + 1);
  }
  return properties;
}
