import { ChevronDown, ChevronUp, CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Bar } from '../parts/bar.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { useAskBeforeLeaving } from '../parts/leaving.ts';
import { sizeText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import {
  cancelUpload,
  cancelUploads,
  forgetUploads,
  isUnderWay,
  type Upload,
  useUploads,
} from './uploads.ts';

/** The maximum number of files that the panel lists. The count in its header includes all files. */
const maxRows = 50;

/** The number of milliseconds after which the panel closes if all uploads have succeeded. */
const closeDelay = 5_000;

/** The position of each state in the list: failed files come first, then files that are being uploaded. */
const order: Readonly<Record<Upload['state'], number>> = { failed: 0, sending: 1, waiting: 2, done: 3 };

const UploadRow = ({ id, name, size, sent, state, fault }: Upload) => (
  <li className={`upload ${state}`}>
    <span className="ellipsis">{name}</span>
    {state === 'done' && <CircleCheck size={16} aria-label={text('upload.done')} />}
    {state === 'failed' && <CircleAlert size={16} aria-label={text('upload.failed')} />}
    {state === 'sending' && <Bar label={name} value={sent} all={size} />}
    <span className="hint">{fault ?? sizeText(size)}</span>
    {isUnderWay({ state }) && (
      <IconButton label={text('upload.cancel', { name })} icon={X} onPress={() => cancelUpload(id)} />
    )}
  </li>
);

/**
 * Shows the progress of uploads on every screen. After the last upload, the panel shows the files that failed; if none
 * failed, it closes by itself. While uploads are running, it can be reduced to its header, and the browser asks for
 * confirmation before it closes the page.
 */
export function UploadPanel() {
  const uploads = useUploads();
  const isSending = uploads.some(isUnderWay);
  useAskBeforeLeaving('uploads', isSending);
  const [isSmall, setSmall] = useState(false);
  const haveSucceeded = uploads.length > 0 && uploads.every(({ state }) => state === 'done');
  useEffect(() => {
    if (!haveSucceeded) return;
    const timer = setTimeout(forgetUploads, closeDelay);
    return () => clearTimeout(timer);
  }, [haveSucceeded]);
  if (uploads.length === 0) return null;
  const done = uploads.filter(({ state }) => state === 'done').length;
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const shown = (isSending ? [...uploads] : uploads.filter(({ state }) => state === 'failed'))
    .sort((a, b) => order[a.state] - order[b.state])
    .slice(0, maxRows);
  return (
    <section aria-label={text('upload.title')} className="upload-panel">
      <header>
        <p role="status">
          {text('upload.count', { done, all: uploads.length })}
          {failed > 0 && ` · ${text('upload.failedCount', { count: failed })}`}
        </p>
        {isSending && (
          <Button kind="quiet" onPress={cancelUploads}>
            {text('upload.cancelAll')}
          </Button>
        )}
        {isSending ? (
          <IconButton
            label={text(isSmall ? 'upload.show' : 'upload.hide')}
            icon={isSmall ? ChevronUp : ChevronDown}
            onPress={() => setSmall(!isSmall)}
          />
        ) : (
          <IconButton label={text('close')} icon={X} onPress={forgetUploads} />
        )}
      </header>
      {isSending && <Bar label={text('upload.title')} value={done + failed} all={uploads.length} />}
      {shown.length > 0 && !(isSending && isSmall) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that keyboard users can scroll it
        <ul tabIndex={0} aria-label={text('upload.files')}>
          {shown.map((upload) => (
            <UploadRow key={upload.id} {...upload} />
          ))}
        </ul>
      )}
    </section>
  );
}
