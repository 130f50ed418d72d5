import { X } from 'lucide-react';
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import { text } from '../texts/text.ts';
import { IconButton } from './button.tsx';

interface Notice {
  readonly kind: 'done' | 'failed';
  readonly message: string;
  readonly details?: readonly string[];
}

const queue = new ToastQueue<Notice>({ maxVisibleToasts: 3 });

/** Shows a notification: a success for five seconds, a failure until the user closes it. */
export const notify = (notice: Notice): void => {
  queue.add(notice, notice.kind === 'done' ? { timeout: 5_000 } : {});
};

export const dropNotices = (): void => queue.clear();

/** Runs an action and notifies the user of its success or failure. @returns its result, or undefined if it failed */
export async function attempt<T>(work: () => Promise<T>, done?: string): Promise<T | undefined> {
  try {
    const result = await work();
    if (done) notify({ kind: 'done', message: done });
    return result;
  } catch (error) {
    notify({ kind: 'failed', message: (error as Error).message });
    return undefined;
  }
}

export const Notices = () => (
  <ToastRegion queue={queue} className="notices" aria-label={text('notices')}>
    {({ toast }) => (
      <Toast toast={toast} className={`notice ${toast.content.kind}`}>
        <ToastContent>
          <Text slot="title">{toast.content.message}</Text>
          {toast.content.details && (
            <ul>
              {toast.content.details.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </ToastContent>
        <IconButton slot="close" label={text('close')} icon={X} />
      </Toast>
    )}
  </ToastRegion>
);
