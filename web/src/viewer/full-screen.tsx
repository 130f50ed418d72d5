import { Maximize, Minimize } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { IconButton } from '../parts/button.tsx';
import { isForFocused } from '../parts/keys.ts';
import { text } from '../texts/text.ts';

let isFull = false;
const listeners = new Set<() => void>();

function show(full: boolean): void {
  isFull = full;
  for (const listener of listeners) listener();
}

document.addEventListener('fullscreenchange', () => {
  if (!document.fullscreenElement) show(false);
});

/** Whether content is shown on the full screen. It stays so when the user opens the next document. */
export const useFullScreen = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isFull,
  );

/**
 * Shows the content over the whole window, and the window over the whole screen. Browsers that refuse the latter, such as
 * those of some phones, do only the former.
 */
export function toggleFullScreen(): void {
  show(!isFull);
  if (isFull) document.documentElement.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement) void document.exitFullscreen();
}

/** Ends the full screen when its content is closed, and lets the keys F and Escape switch it. */
export function useFullScreenKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isFull && !event.defaultPrevented) toggleFullScreen();
      else if (event.key === 'f' && !isForFocused(event)) toggleFullScreen();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

export function FullScreenButton() {
  const full = useFullScreen();
  return (
    <IconButton
      label={text(full ? 'viewer.leaveFull' : 'picture.full')}
      icon={full ? Minimize : Maximize}
      onPress={toggleFullScreen}
    />
  );
}
