/** Stands for a value that is not shown. */
const masked = '…';

const secretWords =
  'passw secret token credential authorization assertion apikey jwt digest hash signature cookie'.split(' ');

/** Names that only sound like those of a secret. */
const harmless: ReadonlySet<string> = new Set(['changeToken', 'hasSecret']);

/** A name, and what stands behind it where a value follows. */
const named = /[\w-]+["'\\]{0,9}\s{0,9}[=:]?/g;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const userInfo = /\/\/[^/\s?#]*@/;

export type Mask = (name: string, value: unknown) => unknown;

/**
 * Replaces credentials and hashes in what a caller sent: by the name of the value, and of a text that holds
 * names and values itself, such as lines of properties, the whole text.
 * @param fields more names whose values are secrets: those of directories.
 */
export function createMask(fields: Iterable<string>): Mask {
  const words = [...secretWords, ...[...fields].map(plain)];
  const isSecret = (name: string): boolean => words.some((word) => plain(name).includes(word));
  const holdsSecret = (text: string): boolean =>
    (text.match(named) ?? []).some((found) => /[=:]$/.test(found) && isSecret(found));
  const mask: Mask = (name, value) => {
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    if (isSecret(name) && !harmless.has(name)) return masked;
    if (typeof value === 'string') return holdsSecret(value) || userInfo.test(value) ? masked : value;
    if (Array.isArray(value)) return value.map((item) => mask('', item));
    if (typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mask(key, part)]));
  };
  return mask;
}
