import { readFileSync } from 'node:fs';

/**
 * The reason for rejecting a password: it is too short, is one of the most common passwords, or contains one of its
 * user's names.
 */
export type PasswordFault = 'short' | 'common' | 'name';

/**
 * Matches up to four digits and signs at the end of a password. They are ignored, because `Password1!` is as easy to
 * guess as `Password`.
 */
const suffix = /[^\p{L}]{1,4}$/u;

/** The minimum length of names that a password must not contain. A short name, such as `al`, can occur by chance. */
const minNameLength = 4;

let common: ReadonlySet<string> | undefined;

/**
 * Returns the 5,000 most common passwords of at least eight characters. The file is read when a password is checked for
 * the first time.
 */
function commonPasswords(): ReadonlySet<string> {
  const file = new URL('../../src/model/data/common-passwords.txt', import.meta.url);
  common ??= new Set(readFileSync(file, 'utf8').split('\n'));
  return common;
}

interface PasswordRules {
  /** The minimum number of characters. If it is 1, all passwords are accepted. */
  readonly minLength: number;
  /** The names that the password must not contain: the user name and the local part of the email address. */
  readonly names: readonly string[];
}

/** Returns the reason for rejecting a new password; undefined if it is accepted. */
export function passwordFault(
  password: string,
  { minLength, names }: PasswordRules,
): PasswordFault | undefined {
  if (minLength <= 1) return undefined;
  if ([...password].length < minLength) return 'short';
  const folded = password.normalize('NFKC').toLowerCase();
  const isNamed = names.some((name) => {
    const own = name.normalize('NFKC').toLowerCase();
    return own.length >= minNameLength ? folded.includes(own) : own === folded;
  });
  if (isNamed) return 'name';
  const word = folded.replace(suffix, '');
  return [folded, word].some((text) => commonPasswords().has(text)) ? 'common' : undefined;
}
