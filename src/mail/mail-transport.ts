import { Readable } from 'node:stream';
import nodemailer from 'nodemailer';
import type { BlobStore } from '../blobs/blob-store.ts';
import { bytesOf } from '../blobs/bytes-of.ts';

/** An email to transmit. */
export interface OutgoingMail {
  readonly id: string;
  readonly to: string[];
  readonly cc: string[];
  readonly bcc: string[];
  readonly replyTo: string[];
  readonly subject: string;
  readonly isHtml: boolean;
  readonly createdAt: Date;
  readonly files: ReadonlyArray<{
    readonly name: string;
    readonly mimeType: string;
    readonly digest: string;
  }>;
}

export interface MailTransport {
  /**
   * Sends an email. @returns the number of recipients that the mail server rejected while accepting others.
   */
  send(mail: OutgoingMail, text: string): Promise<{ readonly refused: number }>;
  close(): void;
}

/** Timeouts in milliseconds. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

/**
 * Creates an email transport. @param url an smtp: or smtps: URL, with user name and password if the server requires
 * them.
 */
export function createMailTransport(
  { url, from }: { readonly url: string; readonly from: string },
  blobs: Pick<BlobStore, 'read'>,
): MailTransport {
  const transport = nodemailer.createTransport({ url, ...timeouts });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    send: async ({ id, to, cc, bcc, replyTo, subject, isHtml, createdAt, files }, text) => {
      const { rejected } = await transport.sendMail({
        messageId: `<${id}@${domain}>`, // the same in each attempt, so that mail servers can detect duplicates
        date: createdAt,
        headers: { 'Auto-Submitted': 'auto-generated' },
        from,
        to,
        cc,
        bcc,
        replyTo,
        subject,
        ...(isHtml ? { html: text } : { text }),
        attachments: files.map(({ name, mimeType, digest }) => ({
          filename: name,
          contentType: mimeType,
          content: Readable.from(bytesOf(blobs, [digest])),
        })),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return { refused: rejected.length };
    },
    close: () => transport.close(),
  };
}

/** Connects to a mail server and signs in, without sending an email. @throws Error if this is not possible */
export async function checkMailServer(url: string): Promise<void> {
  const transport = nodemailer.createTransport({ url, ...timeouts });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/**
 * Whether the mail server permanently rejected the email. A failed log-in is not permanent, because an administrator
 * can correct the settings.
 */
export function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return code !== 'EAUTH' && responseCode >= 500 && responseCode < 600;
}
