import { choosePreference, preferenceNow } from '../app/preferences.ts';

/** The number of documents that are remembered. */
const maxRecent = 12;

/** Remembers that the user has opened a document. */
export function noteRecent(uid: string): void {
  const known = preferenceNow('recent') ?? [];
  if (known[0] !== uid)
    choosePreference('recent', [uid, ...known.filter((each) => each !== uid)].slice(0, maxRecent));
}
