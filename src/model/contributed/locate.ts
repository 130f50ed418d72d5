/**
 * Finds places in JSON texts. `JSON.parse` does not say where a value begins, and not always where a text is invalid.
 */

/** A JSON token, or text that is not valid JSON. */
const token = /"(?:[^"\\\t\n\r]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|[{}[\]:,]|[^\s{}[\]:,"]+|"/g;

const scalar = /^(?:"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$)/;

type Step = string | number;

interface Container {
  readonly isList: boolean;
  at: Step;
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

interface Visitor {
  /** Called at the name of each member of an object and at each item of a list. */
  readonly visit: (path: readonly Step[], offset: number) => void;
}

/** Reads a JSON text. @returns the offset of the first token that is not allowed where it stands; undefined if all are */
function scan(text: string, { visit }: Visitor): number | undefined {
  const open: Container[] = [];
  let expected: Expected = 'value';
  const afterValue = (): Expected => (open.length > 0 ? 'comma or end' : 'nothing');
  const pathOf = () => open.map(({ at }) => at);
  for (const { 0: part, index } of text.matchAll(token)) {
    const last = open.at(-1);
    if ((part === '}' || part === ']') && last?.isList === (part === ']')) {
      if (expected !== 'comma or end' && !expected.endsWith(' or end')) return index;
      open.pop();
      expected = afterValue();
    } else if (expected === 'key' || expected === 'key or end') {
      if (!/^".*"$/.test(part) || !last) return index;
      last.at = JSON.parse(part);
      visit(pathOf(), index);
      expected = 'colon';
    } else if (expected === 'colon') {
      if (part !== ':') return index;
      expected = 'value';
    } else if (expected === 'comma or end') {
      if (part !== ',' || !last) return index;
      if (last.isList) last.at = Number(last.at) + 1;
      expected = last.isList ? 'value' : 'key';
    } else if (expected === 'value' || expected === 'value or end') {
      if (last?.isList) visit(pathOf(), index);
      if (part === '{' || part === '[') {
        open.push({ isList: part === '[', at: part === '[' ? 0 : '' });
        expected = part === '[' ? 'value or end' : 'key or end';
      } else {
        if (!scalar.test(part) || part === '"') return index;
        expected = afterValue();
      }
    } else return index;
  }
  return expected === 'nothing' ? undefined : text.length;
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Returns the line of the first error in a text that is not JSON, counted from 1. */
export function lineOfSyntaxError(text: string): number | undefined {
  const offset = scan(text, { visit: () => undefined });
  return offset === undefined ? undefined : lineAt(text, offset);
}

const nameOf = (value: unknown): unknown => {
  const { name, id } = Object(value) as { name?: unknown; id?: unknown };
  return name ?? id;
};

/** Returns the longest of the names with which a location begins. */
const beginningOf = (location: string, names: readonly string[]): string | undefined =>
  names
    .filter((name) => location.startsWith(name) && /^$|^[.[]/.test(location.slice(name.length)))
    .toSorted((one, other) => other.length - one.length)[0];

/**
 * Converts the location of a fault to a path within a parsed file. Locations name the items of a list by their index
 * or their name, as in `schemas[0].fields.amount` and `types.Invoice.parent`. The path ends where the location leads
 * to something that is not in the file.
 */
function pathOf(location: string, value: unknown): Step[] {
  const index = /^\[(\d+)\]/.exec(location);
  if (index && Array.isArray(value)) {
    const at = Number(index[1]);
    return at in value ? [at, ...pathOf(location.slice(index[0].length), value[at])] : [];
  }
  const rest = location.replace(/^\./, '');
  if (rest === '' || typeof value !== 'object' || value === null) return [];
  const names = (Array.isArray(value) ? value.map(nameOf) : Object.keys(value)).map(String);
  const name = beginningOf(rest, names);
  if (name === undefined) return [];
  const step = Array.isArray(value) ? names.indexOf(name) : name;
  return [step, ...pathOf(rest.slice(name.length), (value as Readonly<Record<Step, unknown>>)[step])];
}

/** Returns the line of a fault in a JSON text, counted from 1; undefined if the location does not lead into the text. */
export function lineOfLocation(text: string, location: string): number | undefined {
  const path = location === '' ? [] : pathOf(location, JSON.parse(text));
  if (path.length === 0) return undefined;
  const wanted = JSON.stringify(path);
  let found: number | undefined;
  scan(text, {
    visit: (at, offset) => {
      if (found === undefined && JSON.stringify(at) === wanted) found = offset;
    },
  });
  return found === undefined ? undefined : lineAt(text, found);
}
