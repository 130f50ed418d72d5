import { Invalid } from '../../errors.ts';
import type { Scope } from '../../scope.ts';

/** How the console looks for a user, by names that only the console knows. */
export type Preferences = Readonly<Record<string, unknown>>;

/** The maximum number of preferences, and the maximum length of all of them as JSON. */
const limits = { names: 50, length: 8_000 };

const select = { consolePreferences: true } as const;

/** The caller's preferences for the console. */
export async function preferencesOf({ db, user: { id } }: Scope): Promise<Preferences> {
  const { consolePreferences } = await db.prisma.user.findUniqueOrThrow({ where: { id }, select });
  return consolePreferences as Preferences;
}

/**
 * Changes the caller's preferences: the others keep their values, and null removes one.
 * @throws Invalid if there are too many of them, or they are too long
 */
export async function changePreferences(scope: Scope, changed: Preferences): Promise<Preferences> {
  const { db, user } = scope;
  const all = { ...(await preferencesOf(scope)), ...changed };
  const stored = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  const { length } = JSON.stringify(stored);
  if (Object.keys(stored).length > limits.names || length > limits.length)
    throw new Invalid(
      `preferences: there can be at most ${limits.names} with ${limits.length} characters of JSON; got ${length}`,
    );
  const data = { consolePreferences: stored as object };
  await db.prisma.user.update({ where: { id: user.id }, data, select });
  return stored;
}
