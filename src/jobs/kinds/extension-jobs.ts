import type { AfterListener, ExtensionEvent } from '../../extension.ts';
import { inExtension } from '../../extensions/guarded.ts';
import { extensions, type LoadedExtension } from '../../extensions/loaded.ts';
import { administrator } from '../../security/principal.ts';
import type { Services } from '../../services.ts';
import { listenerAt } from '../../store/extensions/after-listeners.ts';
import { finishJob, type TakenJob } from '../../store/queue/take-jobs.ts';
import type { Delivery } from '../../store/webhooks/delivery.ts';
import type { CallerRuns } from '../caller-runs.ts';
import { Final, type JobKind } from '../job-runner.ts';

interface LoggedEvent {
  readonly principal: string;
  readonly comment: string | null;
  readonly document: { uid: string; path: string; type: string; state: string | null } | null;
  readonly extended: ExtensionEvent['details'] | null;
}

function eventOf({ message, type, timestamp, data }: Delivery): ExtensionEvent {
  const { principal, comment, document, extended } = data as LoggedEvent;
  return {
    id: message,
    type,
    date: timestamp,
    user: principal,
    comment,
    document: document && {
      id: document.uid,
      path: document.path,
      type: document.type,
      state: document.state,
    },
    details: extended ?? {},
  };
}

/** Returns a function that passes an event to the extension listener that a webhook represents. */
export const notifyListener =
  ({ runAs }: CallerRuns) =>
  async ({ url }: { readonly url: string }, delivery: Delivery, job: TakenJob): Promise<number> => {
    const found = listenerAt(url);
    if (!found) throw new Final('No extension on this server has this listener.');
    const { extension, listener }: { extension: LoadedExtension; listener: AfterListener } = found;
    const event = eventOf(delivery);
    const part = { extension, part: `the listener ${listener.name}`, isLong: true };
    await runAs(administrator(event.user), delivery.repository)('mutation', async (context) => {
      await inExtension(context, part, (own) => listener.run(event, own));
      await finishJob(context.db, job); // in the transaction of the listener, so that no retry repeats its writes
    });
    return 1;
  };

/** Returns the recurring jobs of extensions. */
export const extensionJobs = ({ config }: Services, { runAs }: CallerRuns): JobKind[] =>
  extensions().flatMap((extension) =>
    (extension.jobs ?? []).map(({ name, every, run }) => ({
      name: `extension-${extension.name}-${name}`,
      maxConcurrent: 1,
      delays: [every],
      every,
      run: async () => {
        const [repository = 'default'] = config.REPOSITORIES;
        const part = { extension, part: `the job ${name}`, isLong: true };
        await runAs(administrator(config.ADMIN_USERNAME), repository)('mutation', (context) =>
          inExtension(context, part, run),
        );
        return undefined;
      },
    })),
  );
