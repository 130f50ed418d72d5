import { askBeforeLeaving } from '../parts/leaving.ts';

/** Changes of a document that are not saved yet. */
export interface Draft {
  /** The change token of the document when the first change was made. */
  readonly token: string | null;
  readonly changed: Readonly<Record<string, unknown>>;
}

/** They outlive their form, and a session that ends: keys name the user, too. */
const drafts = new Map<string, Draft>();

export const draftOf = (key: string): Draft | undefined => drafts.get(key);

/** Keeps a draft, or forgets it when it has no change; the browser asks before it closes a page with drafts. */
export function keepDraft(key: string, draft?: Draft): void {
  if (draft && Object.keys(draft.changed).length > 0) drafts.set(key, draft);
  else drafts.delete(key);
  askBeforeLeaving('drafts', drafts.size > 0);
}
