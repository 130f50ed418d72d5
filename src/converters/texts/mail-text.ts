import type { Email } from 'postal-mime';
import { withWindowsSigns } from '../../blobs/legacy-encoding.ts';
import { decodeAny } from '../../blobs/text.ts';
import type { Converter } from '../converter.ts';
import { readWhole } from '../whole-file.ts';
import { textOfHtml } from './html-text.ts';
import { asText, textLimit } from './text-limit.ts';

/** A part of an email, with the fields that are read here. */
interface MailPart {
  content: ArrayBuffer | null;
  readonly contentType: {
    readonly multipart: unknown;
    readonly parsed: { readonly value: string; readonly params: Record<string, string> };
  };
}

/** The parser, including the methods that are missing from its types. */
interface MailParser {
  parse(bytes: Uint8Array): Promise<Email>;
  collectNode(part: MailPart, ...others: readonly unknown[]): Promise<void>;
}

/**
 * Converts the content of a text part to UTF-8. The parser would decode it only by the declared character set, which
 * can be missing or wrong, and attachments not at all.
 */
function toUtf8(part: MailPart): void {
  const { multipart, parsed } = part.contentType;
  if (multipart || !part.content || !/^text\//.test(parsed.value)) return;
  const text = decodeAny(new Uint8Array(part.content), false, parsed.params.charset);
  part.content = new Uint8Array(Buffer.from(text)).buffer;
  parsed.params.charset = 'utf-8';
}

/**
 * Parses an email. The parser calls its internal method `collectNode` for each part, after it has undone the transfer
 * encoding; the tests of mails in other character sets fail if this changes.
 */
async function parseMail(bytes: Uint8Array): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  const parser = new PostalMime() as unknown as MailParser;
  const collect = parser.collectNode.bind(parser);
  parser.collectNode = (part, ...others) => {
    toUtf8(part);
    return collect(part, ...others);
  };
  return parser.parse(bytes);
}

/**
 * Extracts the subject, sender, recipients and text of an email, and the names and texts of its attachments.
 */
export const mailFileText: Converter = {
  name: 'mail2text',
  makes: 'text',
  takes: ['message/rfc822'],
  hasParts: true,
  convert: async ({ file, textOfPart }) => {
    const mail = await parseMail(await readWhole(file));
    const people = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])].map(
      (person) => person && `${person.name} ${person.address ?? ''}`,
    );
    const text = mail.text ?? (await textOfHtml(mail.html ?? ''));
    const parts = [mail.subject, ...people, text].filter((part) => part !== undefined);
    let all = withWindowsSigns(parts.join('\n'));
    for (const { filename, mimeType, content } of mail.attachments) {
      const name = filename ?? '';
      const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
      all += `\n${name}\n${(await textOfPart({ name, mimeType, bytes })) ?? ''}`;
      if (all.length >= textLimit) break;
    }
    return asText(all);
  },
};
