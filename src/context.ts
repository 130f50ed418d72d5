import { createLoaders, type Loaders } from './loaders/index.ts';
import type { Scope } from './scope.ts';

/** What resolvers may reach: made once per request, and once more inside its transaction. */
export interface Context extends Scope {
  readonly load: Loaders;
}

export const createContext = (scope: Scope): Context => ({ ...scope, load: createLoaders(scope) });
