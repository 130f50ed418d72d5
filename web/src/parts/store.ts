import { useSyncExternalStore } from 'react';

/** A value outside of React, which components can follow. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Returns the value, and renders the component again when it changes. */
  readonly use: () => T;
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => current;
  return {
    get,
    set: (value) => {
      current = value;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
