import { Readable } from 'node:stream';
import nodemailer from 'nodemailer';
import type { BlobStore } from '../blobs/blob-store.ts';
import { bytesOf } from '../blobs/bytes-of.ts';
import type { DueMail } from '../store/mail/delivery.ts';

export interface MailTransport {
  /** Sends a mail. @returns the number of recipients that the server refused while it accepted others. */
  send(mail: DueMail, text: string): Promise<{ readonly refused: number }>;
  close(): void;
}

/** Timeouts in milliseconds. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

/** Creates a transport. @param url an smtp: or smtps: URL, with user and password if the server requires them. */
export function createMailTransport(
  { url, from }: { readonly url: string; readonly from: string },
  blobs: Pick<BlobStore, 'read'>,
): MailTransport {
  const transport = nodemailer.createTransport({ url, ...timeouts });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    send: async ({ id, to, cc, bcc, replyTo, subject, isHtml, createdAt, files }, text) => {
      const { rejected } = await transport.sendMail({
        messageId: `<${id}@${domain}>`, // equal in each attempt, so that mailboxes can detect duplicates
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

/** Whether the server has refused the mail permanently. A failed log-in is not permanent: an administrator can fix it. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return code !== 'EAUTH' && responseCode >= 500 && responseCode < 600;
}
