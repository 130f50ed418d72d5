import { createLoaders, type Loaders } from './loaders/index.ts';
import type { Scope } from './scope.ts';

/** What resolvers may reach: made once per request, and once more inside its transaction. */
export interface Context extends Scope {
  readonly load: Loaders;
  /** What a write answers; what was read before is forgotten, since an operation may hold several mutations. */
  wrote<T>(write: Promise<T>): Promise<T>;
}

export function createContext(scope: Scope): Context {
  let load = createLoaders(scope);
  return {
    ...scope,
    get load() {
      return load;
    },
    wrote: async (write) => {
      const answer = await write;
      load = createLoaders(scope);
      return answer;
    },
  };
}
