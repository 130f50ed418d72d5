import type { Config } from '../config.ts';
import { Unauthenticated } from '../errors.ts';
import type { Account } from '../loaders/authorities/account.ts';
import { principals } from '../security/principal.ts';

type Settings = Pick<Config, 'ADMIN_USERNAME' | 'SECOND_FACTOR_GROUPS'>;

/** The value in SECOND_FACTOR_GROUPS that stands for all users. */
const everyone = '*';

/** The group to which ADMIN_USERNAME always belongs. */
const administrators = 'administrators';

/** Whether a user belongs to a group that requires a second factor (SECOND_FACTOR_GROUPS). */
export function isSecondFactorRequired(
  { ADMIN_USERNAME, SECOND_FACTOR_GROUPS: required }: Settings,
  account: Pick<Account, 'id' | 'groups'>,
): boolean {
  if (required.length === 0) return false;
  const { isAdministrator } = principals(ADMIN_USERNAME)(account);
  return (
    required.includes(everyone) ||
    (isAdministrator && required.includes(administrators)) ||
    account.groups.some((group) => required.includes(group))
  );
}

/**
 * Returns the step that follows a correct password: entering a code, or setting up a second factor. Returns undefined
 * if the password is sufficient.
 */
export function secondStepOf(settings: Settings, account: Account): 'code' | 'setup' | undefined {
  if (account.hasSecondFactor) return 'code';
  return isSecondFactorRequired(settings, account) ? 'setup' : undefined;
}

/**
 * @throws Unauthenticated if the account requires more than a password, which Basic authentication cannot provide
 */
export function requirePasswordSuffices(settings: Settings, account: Account): void {
  const step = secondStepOf(settings, account);
  if (step === 'code')
    throw new Unauthenticated(
      'This account has a second factor, so its password is not accepted here. Use an app password, which you can create in the console under Security.',
    );
  if (step === 'setup')
    throw new Unauthenticated(
      'This account needs a second factor, so its password is not accepted here. Sign in to the console to set one up, and create an app password there under Security.',
    );
}
