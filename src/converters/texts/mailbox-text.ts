import type { Converter } from '../converter.ts';
import { readWhole } from '../whole-file.ts';
import { asText, textLimit } from './text-limit.ts';

/** The line that precedes each email in a mailbox (RFC 4155), after an empty line. */
const separator = /(?:^|\r?\n\r?\n)From [^\r\n]{1,998}\r?\n/g;

/** Extracts the texts of the emails in a mailbox. */
export const mailboxText: Converter = {
  name: 'mbox2text',
  makes: 'text',
  takes: ['application/mbox'],
  hasParts: true,
  convert: async ({ file, textOfPart }) => {
    const source = (await readWhole(file)).toString('latin1');
    const found = [...source.matchAll(separator)];
    if (found[0]?.index !== 0) throw new Error('the file is not a mailbox');
    let text = '';
    for (const [at, { index, 0: line }] of found.entries()) {
      const mail = source.slice(index + line.length, found[at + 1]?.index).replaceAll(/^>(>*From )/gm, '$1');
      const bytes = Buffer.from(mail, 'latin1');
      text += `${(await textOfPart({ name: '', mimeType: 'message/rfc822', bytes })) ?? ''}\n`;
      if (text.length >= textLimit) break;
    }
    return asText(text);
  },
};
