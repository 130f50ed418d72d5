import { createStore } from '../parts/store.ts';

const key = 'quire.view-as';

/** Reads the user from the browser's storage, which lasts until the tab is closed. The browser may forbid it. */
function stored(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The user whose view an administrator sees; undefined if the user's own view is shown. */
const viewed = createStore<string | undefined>(stored());

export const useViewedUser = (): string | undefined => viewed.use();

export const isViewingAs = (): boolean => viewed.get() !== undefined;

/** The header by which the server answers as it would answer the other user, and changes nothing. */
export function viewAsHeader(): Record<string, string> {
  const user = viewed.get();
  return user === undefined ? {} : { 'X-View-As': encodeURIComponent(user) };
}

/**
 * Loads the console again as another user sees it, or undefined for the user's own view. All data of the former view
 * is dropped with the page.
 */
export function viewAs(user: string | undefined): void {
  try {
    if (user === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, user);
  } catch {}
  location.assign(document.baseURI);
}

/** Ends the view without loading the page again, when the session of the administrator ends. */
export function dropViewedUser(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {}
  viewed.set(undefined);
}
