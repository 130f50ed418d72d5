import { filledLabel, type Language, labelText } from '../labels.ts';

export interface MailTemplate {
  /** The subject. It is fixed, so that no input from callers can get into a header. */
  readonly subject: string;
  readonly text: string;
}

/** The emails whose text comes from the message keys `mail.NAME.subject` and `mail.NAME.text`. */
export const mailNames = [
  'commentAdded',
  'commentMention',
  'commentReply',
  'commentUpdated',
  'guestCode',
  'invitation',
  'newDevice',
  'passwordElsewhere',
  'passwordReset',
  'permission',
  'test',
] as const;

/** The maximum number of characters in a single-line value and in a quoted comment. */
const maxCharacters = { line: 500, comment: 2000 };

/** Puts a value on a single line, so that it cannot imitate text written by the server. */
export const asLine = (value: string): string =>
  value.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, maxCharacters.line);

/** Quotes a comment by putting `> ` before each line. */
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
