import type { Scope } from '../scope.ts';
import { createLoaders, type Loaders } from './index.ts';

export interface Context extends Scope {
  readonly load: Loaders;
  reload(): void;
}

// A getter in the literal would give each context a hidden class of its own, which keeps it, and all that it
// reaches, until a full collection of garbage.
export function createContext(scope: Scope): Context {
  const reload = (): void => {
    context.load = createLoaders(scope);
  };
  const context = Object.assign(scope, { load: createLoaders(scope), reload });
  return context;
}
