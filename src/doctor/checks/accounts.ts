import { type Config, isExposed, stockPassword, stockUsername } from '../../config.ts';
import { findWithPassword } from '../../store/authorities/passwords.ts';
import { foundIf, type HealthCheck } from '../check.ts';

/**
 * Returns the name of an administrator whose stored password is the default one; undefined if there is none.
 * ADMIN_PASSWORD has an effect only when the user is created.
 */
export const userWithStockPassword = (
  database: Parameters<typeof findWithPassword>[0],
  { ADMIN_USERNAME }: Pick<Config, 'ADMIN_USERNAME'>,
): Promise<string | undefined> => findWithPassword(database, [ADMIN_USERNAME, stockUsername], stockPassword);

/** Checks the password of the administrator. */
export const accountsCheck: HealthCheck = {
  name: 'accounts',
  run: async ({ config, tables }) => {
    const username = await userWithStockPassword(await tables(), config);
    return foundIf(
      username !== undefined && {
        level: isExposed(config) ? 'fault' : 'advice',
        problem: `The password of ${username} is the default one.`,
        reason: 'Everybody who can reach the server can sign in as administrator.',
        remedy: 'Change the password in the console, under Account.',
      },
    );
  },
};
