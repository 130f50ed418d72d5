import { send } from '../graphql/client.ts';
import { copyDocument, moveDocument } from '../graphql/operations.ts';
import { withEach } from '../listing/selection.ts';
import { parentPath } from '../listing/target.ts';
import { keysText } from '../parts/key-texts.ts';
import { notify } from '../parts/notices.tsx';
import { createStore } from '../parts/store.ts';
import { text } from '../texts/text.ts';
import type { Actionable } from './subject.ts';

type Cut = Pick<Actionable, 'uid' | 'path' | 'title'>;

interface Clipboard {
  readonly kind: 'cut' | 'copy';
  readonly documents: readonly Cut[];
}

/** The documents that the user has cut or copied. */
const clipboard = createStore<Clipboard | undefined>(undefined);

export const hasClipboard = (): boolean => clipboard.get() !== undefined;

/** Renders the component again when documents are cut, copied or pasted. */
export const useClipboard = (): unknown => clipboard.use();

export const dropClipboard = (): void => clipboard.set(undefined);

/** Remembers documents until the user pastes them into a folder. */
export function fillClipboard(kind: Clipboard['kind'], documents: readonly Cut[]): void {
  clipboard.set({ kind, documents });
  const values = { count: documents.length, keys: keysText('Mod+V') };
  notify({ kind: 'note', message: text(kind === 'cut' ? 'action.wasCut' : 'action.wasCopied', values) });
}

/** Moves or copies the remembered documents into a folder. */
export async function paste(folder: Pick<Actionable, 'path'>): Promise<void> {
  const held = clipboard.get();
  if (!held) return;
  const { kind, documents } = held;
  const target = folder.path;
  if (kind === 'copy') {
    await withEach(documents, ({ uid }) => send(copyDocument, { id: uid, target }), text('done.copied'));
    return;
  }
  const moved = documents.filter(({ path }) => parentPath(path) !== target);
  if (moved.length === 0) return; // They are in the folder already, so they stay cut until they are pasted elsewhere.
  clipboard.set(undefined);
  await withEach(
    moved,
    ({ uid }) => send(moveDocument, { id: uid, target }),
    text('done.moved'),
    ({ uid, path }) => send(moveDocument, { id: uid, target: parentPath(path) }),
  );
}
