import { X } from 'lucide-react';
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import { text } from '../texts/text.ts';
import { Button, IconButton } from './button.tsx';

type Undo = () => Promise<unknown>;

interface Notice {
  /** `note` is used for information that is neither a success nor a failure. */
  readonly kind: 'done' | 'failed' | 'note';
  readonly message: string;
  readonly details?: readonly string[];
  /** Reverses the action. */
  readonly undo?: Undo;
}

const queue = new ToastQueue<Notice>({ maxVisibleToasts: 3 });

/**
 * The number of milliseconds for which a notification is shown. A notification with "Undo" is shown longer, so that the
 * user has time to decide.
 */
const shortTimeout = 5_000;
const undoTimeout = 10_000;

/** The maximum number of actions that can be undone one after the other. */
const maxUndos = 20;

/** The functions that reverse the latest actions, oldest first. */
let undos: readonly Undo[] = [];

/** Reverses the latest action. A notification says if no action is left that can be reversed. */
export function undoLatest(): void {
  const undo = undos.at(-1);
  if (!undo) {
    notify({ kind: 'note', message: text('undo.nothing') });
    return;
  }
  const shown = queue.visibleToasts.find(({ content }) => content.undo === undo);
  if (shown) queue.close(shown.key);
  void runUndo(undo);
}

const runUndo = (undo: Undo) => {
  undos = undos.filter((each) => each !== undo);
  return attempt(undo);
};

/**
 * Shows a notification. A failure is shown until the user closes it; other notifications disappear after several
 * seconds.
 */
export const notify = (notice: Notice): void => {
  if (notice.undo) undos = [...undos, notice.undo].slice(-maxUndos);
  const timeout = notice.undo ? undoTimeout : shortTimeout;
  queue.add(notice, notice.kind === 'failed' ? {} : { timeout });
};

export function dropNotices(): void {
  undos = [];
  queue.clear();
}

/**
 * Runs an action and notifies the user of its success or failure. @returns the result; undefined if the action failed
 */
export async function attempt<T>(
  work: () => Promise<T>,
  done?: string,
  undo?: () => Promise<unknown>,
): Promise<T | undefined> {
  try {
    const result = await work();
    if (done) notify({ kind: 'done', message: done, ...(undo && { undo }) });
    return result;
  } catch (error) {
    notify({ kind: 'failed', message: (error as Error).message });
    return undefined;
  }
}

export const Notices = () => (
  <ToastRegion queue={queue} className="notices" aria-label={text('notices')}>
    {({ toast }) => {
      const { kind, message, details, undo } = toast.content;
      return (
        <Toast toast={toast} className={`notice ${kind}`}>
          <ToastContent>
            <Text slot="title">{message}</Text>
            {details && (
              <ul>
                {details.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </ToastContent>
          {undo && (
            <Button
              kind="quiet"
              onPress={() => {
                queue.close(toast.key);
                void runUndo(undo);
              }}
            >
              {text('undo')}
            </Button>
          )}
          <IconButton slot="close" label={text('close')} icon={X} />
        </Toast>
      );
    }}
  </ToastRegion>
);
