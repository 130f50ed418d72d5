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

/** Seconds: a day and a half altogether. */
const delays = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, 43_200] as const;

/** Milliseconds that a mail under way has when the process stops: one that is broken off may come twice. */
const patience = 5_000;

/** Seconds between attempts to note what was sent, which would else be sent again: ten minutes altogether. */
const noteDelays = [1, 2, 4, 8, 15, 30, ...Array.from({ length: 9 }, () => 60)];

/** The runner keeps the lease meanwhile. @throws the last error, or the reason of the signal. */
async function noteSent(database: Database, id: string, signal: AbortSignal): Promise<void> {
  for (const seconds of noteDelays) {
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

/** Sends one mail; no job is taken without SMTP_URL. */
export function sendMail({ config, database, blobs, secrets, log }: Services): JobKind | undefined {
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined) return undefined;
  let transport: MailTransport | undefined;
  return {
    name: mailJob,
    most: 4,
    delays,
    run: async (job, signal) => {
      const due = await findUnsentMail(database, mailOf(job));
      if (!due) return undefined;
      // Most servers have nothing to send when they start.
      const { createMailTransport, isFinal } = await import('../mail-transport.ts');
      transport ??= createMailTransport({ url, from }, blobs);
      try {
        const text = openMailText(secrets, due.sealedText ?? '');
        if (text === undefined) throw new Final(lost);
        const { refused } = await unlessStopped(signal, transport.send(due, text), patience);
        if (refused > 0)
          log.warn({ mail: due.id, recipients: refused }, 'some recipients of a mail were refused');
      } catch (error) {
        if (signal.aborted) throw error; // it does not count
        await markNotSent(database, due.id, messageOf(error));
        throw isFinal(error) ? new Final(messageOf(error)) : error;
      }
      await noteSent(database, due.id, signal);
      return 1;
    },
    onSetAside: (job) => markFailed(database, mailOf(job)),
    close: () => transport?.close(),
  };
}
