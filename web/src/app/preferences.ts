import { useSyncExternalStore } from 'react';
import { send } from '../graphql/client.ts';
import { changePreferences } from '../graphql/operations.ts';

/** How the console looks for a user. The server stores it, so it is the same in every browser. */
export interface Preferences {
  /** How lists are shown: as rows of one of three heights, or as a grid. */
  readonly view?: string;
  /** The ids of the columns of lists after the title, in order; absent for the default. */
  readonly columns?: readonly string[];
  /** The widths of columns in pixels, by their ids. */
  readonly widths?: Readonly<Record<string, number>>;
  /** The width of the folder tree in pixels. */
  readonly tree?: number;
  /** The ids of the documents that the user opened last, the latest first. */
  readonly recent?: readonly string[];
  /** The filters of the audit log that the user has saved, as queries of its address. */
  readonly auditFilters?: ReadonlyArray<{ readonly name: string; readonly query: string }>;
}

type Name = keyof Preferences;

/** The number of milliseconds after the last change at which the changes are sent. */
const delay = 400;

let current: Preferences = {};
let unsent: { -readonly [Each in Name]?: Preferences[Each] | null } = {};
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(preferences: Preferences): void {
  current = preferences;
  for (const listener of listeners) listener();
}

/** Sends changes that have not been sent yet. If that fails, the change only lasts until the page is closed. */
function sendChanges(): void {
  clearTimeout(timer);
  timer = undefined;
  const preferences = unsent;
  unsent = {};
  if (Object.keys(preferences).length > 0)
    send(changePreferences, { preferences }, { keepalive: true }).catch(() => {});
}

addEventListener('pagehide', sendChanges);

/** Shows the preferences of a user who has signed in. */
export const startPreferences = (stored: unknown): void => show(stored as Preferences);

/** Forgets the preferences when the user signs out. */
export function dropPreferences(): void {
  clearTimeout(timer);
  unsent = {};
  show({});
}

export const usePreference = <Each extends Name>(name: Each): Preferences[Each] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current[name],
  );

export const preferenceNow = <Each extends Name>(name: Each): Preferences[Each] => current[name];

/** Changes a preference at once, and sends the change shortly afterwards. Undefined restores the default. */
export function choosePreference<Each extends Name>(name: Each, value: Preferences[Each]): void {
  const { [name]: _, ...others } = current;
  show((value === undefined ? others : { ...others, [name]: value }) as Preferences);
  unsent[name] = value ?? null;
  clearTimeout(timer);
  timer = setTimeout(sendChanges, delay);
}
