import type { Config } from '../../config.ts';
import { Invalid } from '../../errors.ts';
import { filledLabel, type Language } from '../../model/labels.ts';
import { passwordFault } from '../../model/password-rules.ts';
import type { StoredProperties } from '../../model/values/stored.ts';

interface PasswordOwner {
  readonly id: string;
  readonly properties: StoredProperties;
}

/** Explains why a new password is refused; returns undefined if it is accepted. */
export function refusedPassword(
  { PASSWORD_MIN_LENGTH: minLength }: Pick<Config, 'PASSWORD_MIN_LENGTH'>,
  password: string,
  { id, properties: { email } }: PasswordOwner,
  language: Language,
): string | undefined {
  const local = typeof email === 'string' ? (email.split('@', 1)[0] ?? '') : '';
  const fault = passwordFault(password, { minLength, names: [id, local] });
  return fault && filledLabel(`password.${fault}`, language, { length: String(minLength) });
}

/** @throws Invalid if a new password does not follow the rules (PASSWORD_MIN_LENGTH) */
export function requireGoodPassword(
  config: Pick<Config, 'PASSWORD_MIN_LENGTH'>,
  password: string,
  owner: PasswordOwner,
  { field, language }: { readonly field: string; readonly language: Language },
): void {
  const refused = refusedPassword(config, password, owner, language);
  if (refused !== undefined) throw new Invalid(`${field}: ${refused}`);
}
