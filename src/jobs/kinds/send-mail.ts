import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { MailTransport } from '../../mail/mail-transport.ts';
import type { Services } from '../../services.ts';
import { findUnsentMail, markFailed, markNotSent, markSent } from '../../store/mail/delivery.ts';
import { openMailText } from '../../store/mail/mail-text.ts';
import { mailJob } from '../../store/mail/queue-mail.ts';
import type { TakenJob } from '../../store/queue/take-jobs.ts';
import { Final, type JobKind } from '../job-runner.ts';
import { unlessStopped } from '../unless-stopped.ts';

/** The number of seconds before each retry, which add up to a day and a half. */
const delays = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, 43_200] as const;

/**
 * The number of milliseconds that the transmission of an email can still take when the process stops. An interrupted
 * email is sent again and may arrive twice.
 */
const stopTimeout = 5_000;

/**
 * The number of seconds before each retry of marking an email as sent, which add up to ten minutes. An email that is
 * not marked is sent again.
 */
const markDelays = [1, 2, 4, 8, 15, 30, ...Array.from({ length: 9 }, () => 60)];

/**
 * Marks an email as sent, with retries. Meanwhile, the runner renews the lease of the job.
 * @throws the last error, or the reason of the signal
 */
async function markSentWithRetries(database: Database, id: string, signal: AbortSignal): Promise<void> {
  for (const seconds of markDelays) {
    try {
      return await markSent(database, id);
    } catch {
      await wait(1000 * seconds, undefined, { signal });
    }
  }
  await markSent(database, id);
}

const lost = 'the email cannot be decrypted, because TOKEN_KEY has changed since it was queued';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const mailOf = ({ payload }: TakenJob): string => (payload as { mail: string }).mail;

/** Sends emails. Returns undefined if SMTP_URL is not set, so that the jobs remain in the queue. */
export function sendMail({ config, database, blobs, secrets, log }: Services): JobKind | undefined {
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined) return undefined;
  let transport: MailTransport | undefined;
  return {
    name: mailJob,
    maxConcurrent: 4,
    delays,
    run: async (job, signal) => {
      const due = await findUnsentMail(database, mailOf(job));
      if (!due) return undefined;
      // The module is loaded on demand, because most servers have no emails to send at startup.
      const { createMailTransport, isFinal } = await import('../../mail/mail-transport.ts');
      transport ??= createMailTransport({ url, from }, blobs);
      try {
        const text = openMailText(secrets, due.sealedText ?? '');
        if (text === undefined) throw new Final(lost);
        const { refused } = await unlessStopped(signal, transport.send(due, text), stopTimeout);
        if (refused > 0)
          log.warn(
            { mail: due.id, recipients: refused },
            'The mail server rejected some recipients of an email.',
          );
      } catch (error) {
        if (signal.aborted) throw error; // an attempt that was interrupted by stopping the process is not counted
        await markNotSent(database, due.id, messageOf(error));
        throw isFinal(error) ? new Final(messageOf(error)) : error;
      }
      await markSentWithRetries(database, due.id, signal);
      return 1;
    },
    onSetAside: (job) => markFailed(database, mailOf(job)),
    close: () => transport?.close(),
  };
}
