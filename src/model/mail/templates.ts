import { filledLabel, type Language, labelText } from '../labels.ts';

export interface MailTemplate {
  /** A fixed text: nothing that callers wrote gets into a header. */
  readonly subject: string;
  readonly text: string;
}

/** The mails whose text comes from the label keys `mail.NAME.subject` and `mail.NAME.text`. */
export const mailNames = ['commentAdded', 'commentUpdated', 'invitation', 'permission'] as const;

/** The maximum number of characters of a value in a line, and of a quoted comment. */
const maxCharacters = { line: 500, comment: 2000 };

/** Puts a value on one line, so that it cannot imitate the text of the server. */
export const asLine = (value: string): string =>
  value.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, maxCharacters.line);

/** Quotes a comment by `> ` before each line. */
const asQuote = (comment: string): string =>
  comment
    .slice(0, maxCharacters.comment)
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line.replace(/\p{Cc}/gu, ' ')}`)
    .join('\n');

export function fillMailTemplate(
  name: (typeof mailNames)[number],
  language: Language,
  { comment, ...values }: Readonly<Record<string, string | undefined>>,
): MailTemplate {
  const lines = Object.entries(values).map(([key, value = '']) => [key, asLine(value)]);
  const filled = filledLabel(`mail.${name}.text`, language, {
    ...Object.fromEntries(lines),
    comment: comment ? asQuote(comment) : '',
  });
  return { subject: labelText(`mail.${name}.subject`, language), text: `${filled.trimEnd()}\n` };
}
