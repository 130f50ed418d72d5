import type { Scope } from '../scope.ts';
import { createLoaders, type Loaders } from './index.ts';

export interface Context extends Scope {
  readonly load: Loaders;
  reload(): void;
}

export function createContext(scope: Scope): Context {
  let load = createLoaders(scope);
  return {
    ...scope,
    get load() {
      return load;
    },
    reload: () => {
      load = createLoaders(scope);
    },
  };
}
