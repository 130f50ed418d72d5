import { Download, X } from 'lucide-react';
import { ownAddress } from '../form/shown-value.tsx';
import { Bar } from '../parts/bar.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { attempt } from '../parts/notices.tsx';
import { countText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { abortBulk, type Bulk, forgetBulk, isOver, useBulks } from './bulk.ts';

function progressText({ status: { state, processed, total, errorCount }, fault }: Bulk): string {
  if (fault !== undefined) return fault;
  if (state === 'SCHEDULED' || state === 'SCROLLING_RUNNING') return text('bulk.finding');
  const done = text('bulk.progress', {
    done: countText(processed - errorCount),
    all: countText(total),
  });
  return state === 'ABORTED' ? `${done} · ${text('bulk.aborted')}` : done;
}

function BulkState({ bulk }: { readonly bulk: Bulk }) {
  const { id, label, status, failed, undo } = bulk;
  const isDone = isOver(bulk);
  return (
    <section aria-label={label} className="bulk-panel">
      <header>
        <p role="status">
          <strong>{label}</strong> {progressText(bulk)}
        </p>
        {undo && (
          <Button kind="quiet" onPress={() => void attempt(undo)}>
            {text('undo')}
          </Button>
        )}
        {isDone ? (
          <IconButton label={text('close')} icon={X} onPress={() => forgetBulk(id)} />
        ) : (
          <Button kind="quiet" onPress={() => void attempt(() => abortBulk(id))}>
            {text('bulk.abort')}
          </Button>
        )}
      </header>
      {!isDone && <Bar label={label} value={status.processed} all={status.total} />}
      {status.result && (
        <p>
          <a href={ownAddress(status.result.url)} download className="file-link">
            <Download size={14} aria-hidden /> {text('bulk.download')}
          </a>
        </p>
      )}
      {status.errorMessage && <p className="fault">{status.errorMessage}</p>}
      {status.errorCount > 0 && (
        <>
          <p className="fault" role="alert">
            {text('bulk.failed', { count: countText(status.errorCount) })}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that keyboard users can scroll it */}
          <ul tabIndex={0} aria-label={text('bulk.refused')}>
            {failed.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** The progress of bulk actions, shown on every screen. */
export const BulkPanel = () => useBulks().map((bulk) => <BulkState key={bulk.id} bulk={bulk} />);
