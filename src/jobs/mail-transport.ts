import { Readable } from 'node:stream';
import nodemailer from 'nodemailer';
import type { BlobStore } from '../blobs/blob-store.ts';
import { bytesOf } from '../blobs/bytes-of.ts';
import type { DueMail } from '../store/mail/delivery.ts';

export interface MailTransport {
  /** @returns how many recipients the server refused, of several. */
  send(mail: DueMail, text: string): Promise<{ readonly refused: number }>;
  close(): void;
}

/** Milliseconds. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

/** @param url smtp: or smtps:, with user and password where the server wants them. */
export function createMailTransport(
  { url, from }: { readonly url: string; readonly from: string },
  blobs: Pick<BlobStore, 'read'>,
): MailTransport {
  const transport = nodemailer.createTransport({ url, ...timeouts });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    send: async ({ id, to, cc, bcc, replyTo, subject, isHtml, createdAt, files }, text) => {
      const { rejected } = await transport.sendMail({
        messageId: `<${id}@${domain}>`, // the same in each attempt: mailboxes see a repetition
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

/** Whether the server refuses the mail for good; what is wrong with the log-in can be set right. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return code !== 'EAUTH' && responseCode >= 500 && responseCode < 600;
}
