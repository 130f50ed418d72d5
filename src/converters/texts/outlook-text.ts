import { createRequire } from 'node:module';
import type { FieldsData } from '@kenjiuno/msgreader';
import { knownEncoding } from '../../blobs/legacy-encoding.ts';
import { decodeAny } from '../../blobs/text.ts';
import type { Converter } from '../converter.ts';
import { encodingOfCodePage } from './code-pages.ts';
import { readCompoundFile } from './compound-file.ts';
import { textOfHtml } from './html-text.ts';
import { textOfRtf } from './rtf-text.ts';
import { asText, textLimit } from './text-limit.ts';

// The package is a CommonJS module with a default export, which TypeScript loaders import inconsistently.
const require = createRequire(import.meta.url);

type MsgReader = InstanceType<typeof import('@kenjiuno/msgreader').default>;

const encodingOf = (codePage: number | undefined): string | undefined =>
  codePage === undefined ? undefined : knownEncoding(encodingOfCodePage(codePage));

/** Matches encodings in which Outlook does not store strings. */
const isNeverAnsi = /^(utf-16|iso-2022)/;

/**
 * Reads a message. The strings of older messages have one byte per character, in a code page that is known only after
 * the message has been read once.
 */
function readMessage(bytes: Buffer): { readonly reader: MsgReader; readonly message: FieldsData } {
  const { default: Reader } = require('@kenjiuno/msgreader') as typeof import('@kenjiuno/msgreader');
  const read = (ansiEncoding?: string) => {
    const reader = new Reader(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    if (ansiEncoding !== undefined) reader.parserConfig = { ansiEncoding };
    return { reader, message: reader.getFileData() };
  };
  const first = read();
  if (first.message.error) throw new Error(first.message.error);
  const { messageCodepage, internetCodepage } = first.message;
  const encoding = [messageCodepage, internetCodepage]
    .map(encodingOf)
    .find((name) => name !== undefined && !isNeverAnsi.test(name));
  return encoding === undefined ? first : read(encoding);
}

/** Returns the body of a message, which Outlook stores as text, HTML or compressed RTF. */
async function bodyOf({
  body,
  html,
  bodyHtml,
  compressedRtf,
  internetCodepage,
}: FieldsData): Promise<string> {
  if (body) return body;
  const page = html ? decodeAny(html, false, encodingOf(internetCodepage)) : bodyHtml;
  if (page) return textOfHtml(page);
  if (!compressedRtf) return '';
  const { decompressRTF } = await import('@kenjiuno/decompressrtf');
  return textOfRtf(Buffer.from(decompressRTF([...compressedRtf])));
}

/**
 * Extracts the subject, sender, recipients and text of an Outlook message file, and the names and texts of its
 * attachments.
 */
export const outlookText: Converter = {
  name: 'msg2text',
  makes: 'text',
  takes: ['application/vnd.ms-outlook'],
  hasParts: true,
  convert: async ({ file, textOfPart }) => {
    const { bytes } = await readCompoundFile(file);
    const { reader, message } = readMessage(bytes);
    const people = [
      [message.senderName, message.senderSmtpAddress ?? message.senderEmail],
      ...(message.recipients ?? []).map(({ name, smtpAddress, email }) => [name, smtpAddress ?? email]),
    ];
    let text = [message.subject, ...people.map((person) => person.join(' ')), await bodyOf(message)].join(
      '\n',
    );
    for (const attachment of message.attachments ?? []) {
      const { fileName: name, content } = reader.getAttachment(attachment);
      const part = { name, mimeType: attachment.attachMimeTag, bytes: content };
      text += `\n${name}\n${(await textOfPart(part)) ?? ''}`;
      if (text.length >= textLimit) break;
    }
    return asText(text);
  },
};
