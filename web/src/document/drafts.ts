import { askBeforeLeaving } from '../parts/leaving.ts';

/** Unsaved changes of a document. */
export interface Draft {
  /** The document's change token when the user last knew all of its values. */
  readonly token: string | null;
  readonly changed: Readonly<Record<string, unknown>>;
  /** The stored values of the changed fields when the user began to change them. */
  readonly base: Readonly<Record<string, unknown>>;
}

/**
 * The drafts, by user id and document id. Drafts are kept even after the form is closed or the session ends, so the key
 * must include the user.
 */
const drafts = new Map<string, Draft>();

const prefix = 'quire.draft ';

/**
 * Reads the draft that an earlier visit has left in the browser. The browser may forbid it, and anybody can change what
 * is stored there.
 */
function storedDraft(key: string): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(prefix + key) ?? 'null') as Draft | null;
    return draft?.changed && draft.base ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a draft in the browser, so that it survives a crash. If there is no room, it lasts until the page is closed. */
function storeDraft(key: string, draft: Draft | undefined): void {
  try {
    if (draft) localStorage.setItem(prefix + key, JSON.stringify(draft));
    else localStorage.removeItem(prefix + key);
  } catch {}
}

export const draftOf = (key: string): Draft | undefined => drafts.get(key) ?? storedDraft(key);

/**
 * Stores a draft, or removes it if it contains no changes. While there are drafts, the browser asks for confirmation
 * before it closes the page.
 */
export function keepDraft(key: string, draft?: Draft): void {
  const isSet = draft !== undefined && Object.keys(draft.changed).length > 0;
  if (isSet) drafts.set(key, draft);
  else drafts.delete(key);
  storeDraft(key, isSet ? draft : undefined);
  askBeforeLeaving('drafts', drafts.size > 0);
}

/** Removes the drafts from the browser when the user signs out, because others may use it. This page keeps them. */
export function forgetStoredDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {}
}

/** The ids of the documents of which a user has drafts, in this page or left in the browser. */
export function draftedDocuments(user: string): readonly string[] {
  const own = (key: string) => (key.startsWith(`${user} `) ? [key.slice(user.length + 1)] : []);
  let stored: string[] = [];
  try {
    stored = Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  } catch {}
  return [...new Set([...drafts.keys(), ...stored].flatMap(own))];
}
