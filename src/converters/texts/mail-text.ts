import { withWindowsSigns } from '../../blobs/text.ts';
import type { Converter } from '../converter.ts';
import { readWhole } from '../whole-file.ts';
import { textOfHtml } from './html-text.ts';
import { asText } from './text-limit.ts';

/** Extracts the subject, the sender and recipients, and the text of a mail, without its attachments. */
export const mailFileText: Converter = {
  name: 'mail2text',
  makes: 'text',
  takes: ['message/rfc822'],
  convert: async ({ file }) => {
    const { default: PostalMime } = await import('postal-mime');
    const mail = await PostalMime.parse(await readWhole(file));
    const people = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])].map(
      (person) => person && `${person.name} ${person.address ?? ''}`,
    );
    const text = mail.text ?? (await textOfHtml(mail.html ?? ''));
    const parts = [mail.subject, ...people, text].filter((part) => part !== undefined);
    return asText(withWindowsSigns(parts.join('\n')));
  },
};
