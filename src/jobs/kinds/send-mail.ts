import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { Services } from '../../services.ts';
import { findUnsentMail, markFailed, markNotSent, markSent } from '../../store/mail/delivery.ts';
import { openMailText } from '../../store/mail/mail-text.ts';
import { mailJob } from '../../store/mail/queue-mail.ts';
import type { TakenJob } from '../../store/queue/take-jobs.ts';
import { Final, type JobKind } from '../job-runner.ts';
import type { MailTransport } from '../mail-transport.ts';
import { unlessStopped } from '../unless-stopped.ts';

/** Seconds to wait before each retry, a day and a half in total. */
const delays = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, 43_200] as const;

/** Milliseconds that a mail in transmission has left when the process stops. An interrupted one may arrive twice. */
const stopTimeout = 5_000;

/** Seconds to wait before each retry of marking a mail as sent, ten minutes in total. An unmarked mail is sent again. */
const markDelays = [1, 2, 4, 8, 15, 30, ...Array.from({ length: 9 }, () => 60)];

/**
 * Marks a mail as sent, with retries. Meanwhile the runner renews the lease of the job.
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

const lost = 'the text cannot be decrypted: TOKEN_KEY is another one than when it was written';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const mailOf = ({ payload }: TakenJob): string => (payload as { mail: string }).mail;

/** Sends a mail. Returns undefined without SMTP_URL, so that the jobs stay in the queue. */
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
      // Loaded on demand, because most servers have no mail to send when they start.
      const { createMailTransport, isFinal } = await import('../mail-transport.ts');
      transport ??= createMailTransport({ url, from }, blobs);
      try {
        const text = openMailText(secrets, due.sealedText ?? '');
        if (text === undefined) throw new Final(lost);
        const { refused } = await unlessStopped(signal, transport.send(due, text), stopTimeout);
        if (refused > 0)
          log.warn({ mail: due.id, recipients: refused }, 'some recipients of a mail were refused');
      } catch (error) {
        if (signal.aborted) throw error; // an attempt that is interrupted by the stop does not count
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
