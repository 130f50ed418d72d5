import { keysText } from './key-texts.ts';

/** The key that does the same as an entry. It is not text, so that it does not become part of the entry's name. */
export const KeyHint = ({ keys }: { readonly keys: string }) => (
  <span className="keys" data-keys={keysText(keys)} aria-hidden />
);
