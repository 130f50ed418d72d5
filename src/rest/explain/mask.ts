/** Stands for a value that is not shown. */
const masked = '…';

const secretWords =
  'passw|secret|token|credential|authorization|assertion|api_?-?key|jwt|digest|hash|signature|cookie';

/** Names that only sound like those of a secret. */
const harmless: ReadonlySet<string> = new Set(['changeToken', 'hasSecret']);

const escaped = (text: string): string => text.replace(/[^\w]/g, '\\$&');

const userInfo = /\/\/[^/\s?#]*@/;

export type Mask = (name: string, value: unknown) => unknown;

/**
 * Replaces credentials and hashes in what a caller sent: by the name of the value, and of a text that holds
 * names and values itself, such as lines of properties, the whole text.
 * @param fields more names whose values are secrets: those of directories.
 */
export function createMask(fields: Iterable<string>): Mask {
  const words = [secretWords, ...[...fields].map(escaped)].join('|');
  const isSecret = new RegExp(words, 'i');
  const assignment = new RegExp(`(${words})\\w*["'\\\\]*\\s{0,9}[=:]`, 'i');
  const mask: Mask = (name, value) => {
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    if (isSecret.test(name) && !harmless.has(name)) return masked;
    if (typeof value === 'string') return assignment.test(value) || userInfo.test(value) ? masked : value;
    if (Array.isArray(value)) return value.map((item) => mask('', item));
    if (typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mask(key, part)]));
  };
  return mask;
}
