import type { Config } from '../config.ts';
import { Invalid } from '../errors.ts';

/**
 * Returns the repository named by an option; by default, the first one.
 * @throws Invalid if it does not exist.
 */
export function repositoryOf({ REPOSITORIES }: Config, repository = REPOSITORIES[0]): string {
  if (REPOSITORIES.includes(repository)) return repository;
  throw new Invalid(
    `There is no repository "${repository}". The repositories are ${REPOSITORIES.join(', ')}.`,
  );
}
