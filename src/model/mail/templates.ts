import { filledLabel, type Language, labelText } from '../labels.ts';

export interface MailTemplate {
  /** It has no values: what callers wrote is in no header. */
  readonly subject: string;
  readonly text: string;
}

/** The mails that the server itself words: label keys `mail.NAME.subject` and `mail.NAME.text`. */
export const mailNames = ['commentAdded', 'commentUpdated', 'invitation', 'permission'] as const;

/** In characters. */
const longest = { line: 500, comment: 2000 };

/** A value stays within its line, so that it cannot pass for the words of the server. */
export const asLine = (value: string): string => value.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, longest.line);

/** Lines of a caller, marked as quoted. */
const asQuote = (comment: string): string =>
  comment
    .slice(0, longest.comment)
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
