/**
 * A mention: `@username`, or `@"user name"` for a name with blanks. An `@` within a word, as in an email address, is no
 * mention.
 */
const mention = /(?<![\p{L}\p{N}_.+-])@(?:"([^"\n]{1,255})"|([^\s"@][^\s"]{0,254}))/gu;

/** The maximum number of mentions in a text that are read. More of them are plain text. */
export const maxMentions = 50;

const endsInPunctuation = /[^\p{L}\p{N}]$/u;

/**
 * Returns the names that an unquoted mention can mean, the longest first: punctuation at its end may belong to the
 * sentence instead, as may everything from an apostrophe.
 */
function possibleNames(token: string): string[] {
  const names = [token];
  for (let rest = token; endsInPunctuation.test(rest) && names.length < 5; ) {
    rest = rest.slice(0, -1);
    names.push(rest);
  }
  const [beforeApostrophe = ''] = token.split(/['’]/, 1);
  return [...new Set([...names, beforeApostrophe])].filter((name) => name !== '');
}

/** Returns the usernames that each mention in a text can mean, the most likely first. */
export function possibleMentions(text: string): string[][] {
  const found: string[][] = [];
  for (const [, quoted, token = ''] of text.normalize('NFC').matchAll(mention)) {
    found.push(quoted === undefined ? possibleNames(token) : [quoted.trim()]);
    if (found.length === maxMentions) break;
  }
  return found;
}
