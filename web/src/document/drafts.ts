import { askBeforeLeaving } from '../parts/leaving.ts';

/** Unsaved changes of a document. */
export interface Draft {
  /** The change token of the document when the first change was made. */
  readonly token: string | null;
  readonly changed: Readonly<Record<string, unknown>>;
}

/** Drafts by user id and document id. They outlive their form and the session, so the key must contain the user. */
const drafts = new Map<string, Draft>();

export const draftOf = (key: string): Draft | undefined => drafts.get(key);

/**
 * Stores a draft, or removes it if it has no changes. While there are drafts, the browser asks before it closes the
 * page.
 */
export function keepDraft(key: string, draft?: Draft): void {
  if (draft && Object.keys(draft.changed).length > 0) drafts.set(key, draft);
  else drafts.delete(key);
  askBeforeLeaving('drafts', drafts.size > 0);
}
