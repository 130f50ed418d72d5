import { useEffect } from 'react';
import { Keyboard } from 'react-aria-components';
import { Dialog } from '../parts/dialog.tsx';
import { isPressOf, keysText } from '../parts/key-texts.ts';
import { undoLatest } from '../parts/notices.tsx';
import { type TextKey, text } from '../texts/text.ts';
import { actionKeys, runOffer, useOffers } from './actions.ts';
import { hasClipboard } from './clipboard.ts';
import { close, opened } from './open.ts';
import { shownFolder, subjectAt } from './subject.ts';

/** The keys that work on every screen. */
const generalKeys: ReadonlyArray<{ readonly label: TextKey; readonly keys: string }> = [
  { label: 'palette', keys: 'Mod+K' },
  { label: 'keys.search', keys: '/' },
  { label: 'keys.undo', keys: 'Mod+Z' },
  { label: 'keys', keys: '?' },
];

/** The keys of lists, and of the page of a document. */
const placeKeys: ReadonlyArray<{ readonly label: TextKey; readonly keys: string }> = [
  { label: 'keys.move', keys: '↑ ↓' },
  { label: 'keys.select', keys: 'Mod+Space' },
  { label: 'keys.extend', keys: 'Shift+↓' },
  { label: 'keys.all', keys: 'Mod+A' },
  { label: 'keys.menu', keys: 'Shift+F10' },
  { label: 'keys.neighbours', keys: '← →' },
  { label: 'picture.full', keys: 'F' },
];

/** The number of milliseconds after a letter within which Space is part of the typed title. */
const typingPause = 1_000;

const isField = (target: Element): boolean =>
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true], [data-editor]') !==
  null;

/** Whether a dialog, a menu or a list of options is open, so that keys are meant for it. */
const isCovered = (): boolean =>
  document.querySelector('.overlay, .popover [role=menu], .popover [role=listbox]') !== null;

const focusSearch = (): void => {
  document.querySelector<HTMLInputElement>('.search-words input, .find input')?.focus();
};

/** The keys of the whole console. */
export function useKeys(): void {
  const offersOf = useOffers();
  useEffect(() => {
    let typedAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      const isAsked = isPressOf(event, 'Mod+K');
      if (event.defaultPrevented || isCovered()) return;
      const act = (work: () => void) => {
        event.preventDefault();
        event.stopPropagation();
        work();
      };
      // Until its code has been loaded, the palette covers nothing. What is typed is meant for it and must not run actions.
      const loading = opened.get();
      if (loading?.kind === 'palette') {
        const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
        return isText && act(() => opened.set({ ...loading, typed: loading.typed + event.key }));
      }
      if (isField(target) && !isAsked) return;
      if (isAsked) return act(() => opened.set({ kind: 'palette', subject: subjectAt(target), typed: '' }));
      if (isPressOf(event, '/')) return act(focusSearch);
      if (event.key === '?') return act(() => opened.set({ kind: 'keys' }));
      if (isPressOf(event, 'Mod+Z')) return act(undoLatest);
      const wasTyping = event.timeStamp - typedAt < typingPause;
      if (event.key.length === 1 && event.key !== ' ') typedAt = event.timeStamp;
      const folder = shownFolder();
      if (isPressOf(event, 'Mod+V') && folder && hasClipboard())
        return act(() =>
          offersOf({ documents: [folder] })
            .filter(({ id }) => id === 'paste')
            .forEach(runOffer),
        );
      // The text that the user has selected is copied, not the document.
      if (isPressOf(event, 'Mod+C') && getSelection()?.isCollapsed === false) return;
      // Enter opens a link or presses a button, and Space presses a button or scrolls the page of a document.
      if (event.key === 'Enter') return;
      if (
        event.key === ' ' &&
        (wasTyping || !target.matches('[role=row], [role=gridcell], [role=rowheader]'))
      )
        return;
      const wanted = actionKeys.find(({ keys }) => isPressOf(event, keys));
      const subject = wanted && subjectAt(target);
      const offer = subject && offersOf(subject).find(({ keys }) => keys === wanted.keys);
      if (offer) act(() => runOffer(offer));
    };
    addEventListener('keydown', press, true);
    return () => removeEventListener('keydown', press, true);
  });
}

function KeyList({ label, list }: { readonly label: string; readonly list: typeof generalKeys }) {
  return (
    <section>
      <h3>{label}</h3>
      <dl className="key-list">
        {list.map(({ label: key, keys }) => (
          <div key={key}>
            <dt>{text(key)}</dt>
            <dd>
              <Keyboard className="keys">{keysText(keys)}</Keyboard>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Lists the keys of the console. */
export const KeysDialog = () => (
  <Dialog title={text('keys')} onClose={close} size="wide">
    <div className="key-lists">
      <KeyList label={text('keys.everywhere')} list={generalKeys} />
      <KeyList label={text('keys.lists')} list={placeKeys} />
      <KeyList
        label={text('keys.documents')}
        list={[...actionKeys, { label: 'action.paste', keys: 'Mod+V' }]}
      />
    </div>
  </Dialog>
);
