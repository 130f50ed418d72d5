import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { refresh, send } from '../graphql/client.ts';
import { updateDocument } from '../graphql/operations.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { attempt, notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';

interface RenameProps {
  readonly document: { readonly uid: string; readonly title: string };
  readonly onClose: () => void;
}

const retitle = (uid: string, title: string): Promise<unknown> =>
  send(updateDocument, { id: uid, document: { properties: { 'dc:title': title } } });

/**
 * Changes the title of a document. The document's path stays the same. The notification comes before the reload, so
 * that this change can be undone in the right order with what the user does next.
 */
async function rename({ uid, title }: RenameProps['document'], changed: string): Promise<void> {
  await retitle(uid, changed);
  notify({
    kind: 'done',
    message: text('done.renamed'),
    undo: () => attempt(() => retitle(uid, title).then(refresh), text('done.undone')),
  });
  await refresh();
}

function RenameDialog({ document, onClose }: RenameProps) {
  const [changed, setChanged] = useState(document.title);
  return (
    <FormDialog
      title={text('rename')}
      submit={text('save')}
      onSubmit={() => rename(document, changed)}
      onClose={onClose}
      isDisabled={changed.trim() === ''}
    >
      <TextField label={text('column.title')} value={changed} onChange={setChanged} isRequired />
    </FormDialog>
  );
}

/** Finds the element that shows the title of a document in a list or on its page. */
const titleElement = (uid: string): HTMLElement | null =>
  document.querySelector(`[data-key="${CSS.escape(uid)}"] .title-link, [data-title-of="${CSS.escape(uid)}"]`);

/** The end of the part of a title that is selected first: everything before the extension of a file name. */
function nameEnd(title: string): number {
  const dot = title.lastIndexOf('.');
  return dot > 0 && title.length - dot < 6 ? dot : title.length;
}

/** For how long the field keeps the focus after it has appeared, in milliseconds. */
const settling = 400;

/**
 * A field in the place of a title. It is not in the row itself, because the list would take the keys that are typed
 * into it for its own. Enter and leaving the field save; Escape does not.
 */
function RenameInPlace({ document, onClose, at }: RenameProps & { readonly at: HTMLElement }) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const [changed, setChanged] = useState(document.title);
  const isSettled = useRef(false);
  // A menu returns the focus to its button when it closes, which can be after the field has appeared. The field takes
  // the focus again, because keys that are typed elsewhere are commands.
  useLayoutEffect(() => {
    const settledAt = performance.now() + settling;
    let frame = 0;
    const take = () => {
      const input = field.current;
      if (input && globalThis.document.activeElement !== input) {
        input.focus({ preventScroll: true });
        input.setSelectionRange(0, nameEnd(input.value));
      }
      isSettled.current = performance.now() > settledAt;
      if (!isSettled.current) frame = requestAnimationFrame(take);
    };
    take();
    return () => cancelAnimationFrame(frame);
  }, []);
  const end = (isSaved: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    onClose();
    at.closest<HTMLElement>('[role=row]')?.focus({ preventScroll: true });
    if (isSaved && changed.trim() !== '' && changed !== document.title)
      void attempt(() => rename(document, changed));
  };
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') end(true);
    if (key === 'Escape') end(false);
  };
  const { left, top, height, width } = at.getBoundingClientRect();
  const room = at.parentElement?.parentElement?.getBoundingClientRect().width ?? width;
  return createPortal(
    <input
      ref={field}
      className="rename-field"
      aria-label={text('column.title')}
      value={changed}
      onChange={({ currentTarget: { value } }) => setChanged(value)}
      onKeyDown={press}
      onBlur={() => isSettled.current && end(true)}
      style={{
        left: left - 8,
        top: top - 5,
        height: height + 10,
        width: Math.max(Math.min(room, 480), width + 16),
        font: getComputedStyle(at).font,
      }}
    />,
    at.closest('main') ?? globalThis.document.body,
  );
}

/** Changes the title of a document where it is shown; if it is not on the screen, in a dialog. */
export function Rename(props: RenameProps) {
  const [at] = useState(() => titleElement(props.document.uid));
  const isGone = at !== null && !at.isConnected;
  useEffect(() => {
    if (isGone) props.onClose(); // The user has gone to another screen.
  });
  if (isGone) return null;
  return at ? <RenameInPlace {...props} at={at} /> : <RenameDialog {...props} />;
}
