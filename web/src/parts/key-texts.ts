import { text, textOr } from '../texts/text.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Returns how a key is written on the user's keyboard. `Mod` stands for the Command key on Apple's computers and for
 * Ctrl on others.
 */
export function keysText(keys: string): string {
  const parts = keys.split('+').map((key) => {
    if (key === 'Mod') return isMac ? '⌘' : text('key.Ctrl');
    return textOr(`key.${key}`, key);
  });
  return parts.join(isMac ? '' : '+');
}

/** Returns whether an event is the press of a key, such as `F2` or `Mod+X`. */
export function isPressOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, keys: string): boolean {
  const wanted = keys.split('+');
  const name = wanted.at(-1) === 'Space' ? ' ' : wanted.at(-1);
  const hasModifier = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  const isPlain = !ctrlKey && !metaKey && !shiftKey;
  return (
    !altKey &&
    key.toLowerCase() === name?.toLowerCase() &&
    (wanted.includes('Mod') ? hasModifier && !shiftKey : isPlain)
  );
}
