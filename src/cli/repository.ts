import type { Config } from '../config.ts';
import { Invalid } from '../errors.ts';

/** The repository of an option, by default the first one. @throws Invalid when there is none of the name. */
export function repositoryOf({ REPOSITORIES }: Config, repository = REPOSITORIES[0]): string {
  if (REPOSITORIES.includes(repository)) return repository;
  throw new Invalid(`there is no repository "${repository}", only ${REPOSITORIES.join(', ')}`);
}
