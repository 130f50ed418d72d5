import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import type { Secrets } from '../secrets.ts';
import { type DueMail, markNotSent, markSent, releaseMails, takeDueMails } from '../store/mail/delivery.ts';
import { openMailText } from '../store/mail/mail-text.ts';
import type { MailTransport } from './mail-transport.ts';

export interface MailingServices {
  readonly database: Pick<Database, 'query' | 'announcements'>;
  readonly blobs: Pick<BlobStore, 'file'>;
  readonly secrets: Pick<Secrets, 'open'>;
  /** SMTP_URL; no mail is sent without it. */
  readonly url: string | undefined;
  readonly from: string;
  /** Milliseconds after which mails that are to be tried again are looked for. */
  readonly interval?: number;
  readonly onError: (error: unknown, mail?: string) => void;
  readonly onRefused?: (mail: string, recipients: number) => void;
}

const batchSize = 10;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const lost = 'the text cannot be decrypted: TOKEN_KEY is another one than when it was written';

type Deliver = (mail: DueMail) => Promise<void>;

interface Loaded extends Pick<typeof import('./mail-transport.ts'), 'isFinal'> {
  readonly transport: MailTransport;
}

const delivering =
  ({ database, secrets, onError, onRefused }: MailingServices, load: () => Promise<Loaded>): Deliver =>
  async (mail) => {
    const text = openMailText(secrets, mail.sealedText ?? '');
    if (text === undefined) return markNotSent(database, mail, { error: lost, isFinal: true });
    const { transport, isFinal } = await load();
    try {
      const { refused } = await transport.send(mail, text);
      if (refused > 0) onRefused?.(mail.id, refused);
    } catch (error) {
      onError(error, mail.id);
      return markNotSent(database, mail, { error: messageOf(error), isFinal: isFinal(error) });
    }
    return markSent(database, mail.id);
  };

/** Delivers until nothing is due. */
async function deliverDue(
  { database }: MailingServices,
  deliver: Deliver,
  isStopping: () => boolean,
): Promise<void> {
  for (;;) {
    const mails = isStopping() ? [] : await takeDueMails(database, batchSize);
    for (const [index, mail] of mails.entries()) {
      if (isStopping())
        return releaseMails(
          database,
          mails.slice(index).map(({ id }) => id),
        );
      await deliver(mail);
    }
    if (mails.length < batchSize) return;
  }
}

/**
 * Sends mails as soon as their transaction is committed, and those of before that are still to be sent.
 * @returns a function that stops it: it resolves when the mail under way is sent.
 */
export function startMailing(services: MailingServices): () => Promise<void> {
  const { database, blobs, url, from, interval = 30_000, onError } = services;
  if (url === undefined) return async () => {};
  let isStopping = false;
  let isAsked = false;
  let running: Promise<void> | undefined;
  let transport: MailTransport | undefined;

  // Most servers have nothing to send when they start.
  const load = async (): Promise<Loaded> => {
    const { createMailTransport, isFinal } = await import('./mail-transport.ts');
    transport ??= createMailTransport({ url, from }, blobs);
    return { transport, isFinal };
  };
  const deliver = delivering(services, load);
  const work = async (): Promise<void> => {
    do {
      isAsked = false;
      await deliverDue(services, deliver, () => isStopping);
    } while (isAsked && !isStopping);
  };
  const wake = (): void => {
    isAsked = true;
    running ??= work()
      .catch((error: unknown) => onError(error))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(wake, interval).unref();
  const unregister = database.announcements.on('mails', wake);
  wake();
  return async () => {
    isStopping = true;
    clearInterval(timer);
    unregister();
    await running;
    transport?.close();
  };
}
