import { type RefObject, useEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The user's place in a list or a screen: the scroll position, and the row that had the focus. */
interface Place {
  readonly top: number;
  readonly row?: string | undefined;
}

/** The places, by history entry, address and name of the scrolled part. */
const places = new Map<string, Place>();

/** The number of milliseconds to wait for a scrolled part to reach the height that it had before. */
const restoreTimeout = 5_000;

const rowAt = (target: EventTarget | null): string | undefined =>
  (target as Element | null)?.closest<HTMLElement>('[role=row][data-key]')?.dataset.key;

/**
 * Scrolls an element to a place and focuses the row as soon as enough of the content has been loaded. Stops trying when
 * the user scrolls, clicks or presses a key. @returns a function that stops the attempt
 */
function restore(element: HTMLElement, { top, row }: Place): () => void {
  const end = performance.now() + restoreTimeout;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const input of ['wheel', 'pointerdown', 'keydown']) removeEventListener(input, stop, true);
  };
  const attempt = () => {
    element.scrollTop = top;
    const isThere = Math.abs(element.scrollTop - top) < 2;
    const focused = row && element.querySelector<HTMLElement>(`[role=row][data-key="${CSS.escape(row)}"]`);
    if (isThere && focused) focused.focus({ preventScroll: true });
    if ((isThere && (focused || !row)) || performance.now() > end) stop();
    else frame = requestAnimationFrame(attempt);
  };
  for (const input of ['wheel', 'pointerdown', 'keydown']) addEventListener(input, stop, true);
  attempt();
  return stop;
}

/**
 * Stores the place of a scrolled element for each history entry. After Back and Forward, the scroll position is
 * restored and the row that was opened has the focus. Otherwise, the element starts at the top.
 */
export function useKeptScroll(area: RefObject<HTMLElement | null>, name: string, isReady = true): void {
  const { key, pathname } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const id = `${key} ${pathname} ${name}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the kind of navigation belongs to the history entry
  useEffect(() => {
    const element = area.current;
    if (!element || !isReady) return;
    const known = isReturn ? places.get(id) : undefined;
    let stop = () => {};
    if (known) stop = restore(element, known);
    else element.scrollTop = 0;
    const note = (row = places.get(id)?.row) => {
      // While React loads the next screen, it hides the element, which resets the scroll position.
      if (element.clientHeight > 0) places.set(id, { top: element.scrollTop, row });
    };
    const noteScroll = () => note();
    const noteFocus = ({ target }: Event) => note(rowAt(target));
    const listen = () => {
      element.addEventListener('scroll', noteScroll, { passive: true });
      element.addEventListener('focusin', noteFocus);
      element.addEventListener('click', noteFocus, true);
    };
    listen();
    return () => {
      stop();
      element.removeEventListener('scroll', noteScroll);
      element.removeEventListener('focusin', noteFocus);
      element.removeEventListener('click', noteFocus, true);
    };
  }, [id, isReady]);
}
