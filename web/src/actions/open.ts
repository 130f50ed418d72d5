import { createStore } from '../parts/store.ts';
import type { Actionable, Subject } from './subject.ts';

/** The dialogs in which actions ask for more. */
export type ActionDialog = 'set' | 'tag' | 'move' | 'copy' | 'rename' | 'share' | 'trash' | 'delete';

/** What is open above the screen: a dialog of an action, a menu at a place, a document to look at, or a list of commands. */
type Open =
  | { readonly kind: 'dialog'; readonly which: ActionDialog; readonly subject: Subject }
  | { readonly kind: 'menu'; readonly subject: Subject; readonly x: number; readonly y: number }
  | { readonly kind: 'peek'; readonly document: Pick<Actionable, 'uid'> }
  | {
      readonly kind: 'palette';
      readonly subject: Subject | undefined;
      /** What the user has typed while the palette was being loaded. */
      readonly typed: string;
    }
  | { readonly kind: 'keys' };

export const opened = createStore<Open | undefined>(undefined);

export const close = (): void => opened.set(undefined);
