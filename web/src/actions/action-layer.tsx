import { lazy, Suspense, useRef } from 'react';
import { Popover } from 'react-aria-components';
import { MenuList } from '../parts/menu.tsx';
import { text } from '../texts/text.ts';
import { useNames } from '../values/names.ts';
import { type Offer, runOffer, useOffers } from './actions.ts';
import { ActionDialogs } from './dialogs.tsx';
import { KeysDialog, useKeys } from './keys.tsx';
import { close, opened } from './open.ts';
import { lockOwnersOf, type Subject } from './subject.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const Peek = lazy(async () => ({ default: (await import('./peek.tsx')).Peek }));

/** Turns offers into the entries of a menu. */
export const menuEntries = (offers: readonly Offer[]) =>
  offers.map((offer) => ({ ...offer, onAction: () => runOffer(offer) }));

interface ActionMenuProps {
  readonly subject: Subject;
  /** The place of the menu in the window, in pixels. */
  readonly x: number;
  readonly y: number;
}

/** The maximum width of the menu in pixels, as in `actions.css`. */
const maxWidth = 320;

/**
 * Returns how far from the left edge of the window the menu begins. It is next to `x` if there is room on either side;
 * in a narrow window, it moves to the left as far as necessary.
 */
const leftFor = (x: number): number =>
  x > maxWidth ? x : Math.max(0, Math.min(x, window.innerWidth - maxWidth));

function ActionMenu({ subject, x, y }: ActionMenuProps) {
  const offersOf = useOffers();
  useNames(lockOwnersOf(subject.documents)); // The reasons against actions contain the names.
  const place = useRef<HTMLSpanElement>(null);
  const entries = menuEntries(offersOf(subject)).map((entry) => ({
    ...entry,
    // The menu closes first, because the action may open something else.
    onAction: () => {
      close();
      entry.onAction();
    },
  }));
  return (
    <>
      <span ref={place} className="menu-place" style={{ left: leftFor(x), top: y }} />
      <Popover
        isOpen
        onOpenChange={(isOpen) => !isOpen && opened.get()?.kind === 'menu' && close()}
        triggerRef={place}
        // At the side of its place, the menu moves up until it fits into the window. Below it, the menu would be cut off.
        placement="right top"
        className="popover action-menu"
        aria-label={text('actions')}
      >
        <MenuList label={text('actions')} entries={entries} autoFocus="first" />
      </Popover>
    </>
  );
}

/** Everything that actions open above the screen. It also listens to the keys of the console. */
export function ActionLayer() {
  useKeys();
  const open = opened.use();
  if (!open) return null;
  if (open.kind === 'menu') return <ActionMenu key={`${open.x} ${open.y}`} {...open} />;
  if (open.kind === 'dialog') return <ActionDialogs {...open} />;
  if (open.kind === 'keys') return <KeysDialog />;
  return (
    <Suspense>{open.kind === 'peek' ? <Peek uid={open.document.uid} /> : <Palette {...open} />}</Suspense>
  );
}
