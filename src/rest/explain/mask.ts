/** The string that replaces a secret value. */
const masked = '…';

const secretWords =
  'passw secret token credential authorization assertion apikey jwt digest hash signature cookie'.split(' ');

/** Names that contain a secret word although their values are not secret. */
const harmless: ReadonlySet<string> = new Set(['changeToken', 'hasSecret']);

/** Matches a name and the punctuation after it. If the match ends with `=` or `:`, a value follows. */
const named = /[\w-]+["'\\]{0,9}\s{0,9}[=:]?/g;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const userInfo = /\/\/[^/\s?#]*@/;

export type Mask = (name: string, value: unknown) => unknown;

/**
 * Creates a function that hides credentials and hashes in values from a request. A value is hidden if its name contains
 * a secret word. A string that contains such a name followed by a value, for example in `name=value` lines, is hidden
 * as a whole.
 * @param fields the names of secret directory fields
 */
export function createMask(fields: Iterable<string>): Mask {
  const words = [...secretWords, ...[...fields].map(plain)];
  const isSecret = (name: string): boolean => words.some((word) => plain(name).includes(word));
  const containsSecret = (text: string): boolean =>
    (text.match(named) ?? []).some((found) => /[=:]$/.test(found) && isSecret(found));
  const mask: Mask = (name, value) => {
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    if (isSecret(name) && !harmless.has(name)) return masked;
    if (typeof value === 'string') return containsSecret(value) || userInfo.test(value) ? masked : value;
    if (Array.isArray(value)) return value.map((item) => mask('', item));
    if (typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mask(key, part)]));
  };
  return mask;
}
