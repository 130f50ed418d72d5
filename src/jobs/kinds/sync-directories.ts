import { openDirectories } from '../../ldap/directory.ts';
import type { Services } from '../../services.ts';
import { syncDirectory } from '../../store/authorities/sync-directory.ts';
import type { JobKind } from '../job-runner.ts';

const hour = 3_600;

/**
 * Synchronizes the users of directories every hour. If a directory does not respond or its result is implausible, its
 * users are not changed, but the other directories are still synchronized. The job then fails, to report the reason.
 */
export function syncDirectories(services: Services): JobKind | undefined {
  const directories = openDirectories(services.identityProviders).filter(({ provider }) => provider.sync);
  if (directories.length === 0) return undefined;
  return {
    name: 'sync-directories',
    maxConcurrent: 1,
    delays: [hour],
    every: hour,
    run: async (_, signal) => {
      const faults: unknown[] = [];
      let count = 0;
      for (const directory of directories) {
        const { name } = directory.provider;
        try {
          const { created, changed, disabled, enabled, refused } = await syncDirectory(services, directory, {
            signal,
          });
          const changes = { created, changed, disabled, enabled };
          count += Object.values(changes).flat().length;
          if (Object.keys(refused).length > 0)
            services.log.warn({ directory: name, refused }, 'Some users of a directory could not be stored.');
          if (disabled.length > 0)
            services.log.info(
              { directory: name, disabled },
              'Users who are no longer in a directory were disabled.',
            );
        } catch (error) {
          if (signal.aborted) throw error;
          faults.push(error);
        }
      }
      const [fault] = faults;
      if (fault !== undefined) throw fault;
      return count;
    },
  };
}
