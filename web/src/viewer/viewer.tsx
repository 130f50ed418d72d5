import type { Shown } from '../document/document.ts';
import { text } from '../texts/text.ts';
import { useFullScreen, useFullScreenKeys } from './full-screen.tsx';
import { Preview } from './preview.tsx';

/** Shows the content of a document in a frame that can fill the screen. */
export function Viewer({ document }: { readonly document: Shown }) {
  const isFull = useFullScreen();
  useFullScreenKeys();
  return (
    <section
      className={isFull ? 'card preview full' : 'card preview'}
      aria-label={text('document.preview', { title: document.title })}
    >
      <Preview key={document.uid} document={document} />
    </section>
  );
}
