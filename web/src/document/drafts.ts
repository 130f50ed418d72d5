import { askBeforeLeaving } from '../parts/leaving.ts';

/** Unsaved changes of a document. */
export interface Draft {
  /** The document's change token at the time of the user's first change. */
  readonly token: string | null;
  readonly changed: Readonly<Record<string, unknown>>;
}

/**
 * The drafts, by user id and document id. Drafts are kept even after the form is closed or the session ends, so the key
 * must include the user.
 */
const drafts = new Map<string, Draft>();

export const draftOf = (key: string): Draft | undefined => drafts.get(key);

/**
 * Stores a draft, or removes it if it contains no changes. While there are drafts, the browser asks for confirmation
 * before it closes the page.
 */
export function keepDraft(key: string, draft?: Draft): void {
  if (draft && Object.keys(draft.changed).length > 0) drafts.set(key, draft);
  else drafts.delete(key);
  askBeforeLeaving('drafts', drafts.size > 0);
}
