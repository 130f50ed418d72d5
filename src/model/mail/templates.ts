import type { Language } from '../labels.ts';

interface MailTemplate {
  /** It has no values: what callers wrote is in no header. */
  readonly subject: string;
  readonly text: string;
}

/** The mails that the server itself words, in each language; `{name}` is a value. */
export const mailTemplates = {
  en: {
    commentAdded: {
      subject: 'A new comment',
      text: `{author} commented on "{title}".

{link}

{comment}`,
    },
    commentUpdated: {
      subject: 'A comment was changed',
      text: `{author} changed a comment on "{title}".

{link}

{comment}`,
    },
    invitation: {
      subject: 'Your invitation',
      text: `{inviter} invites you as the user {user}.

Choose a password on this page within seven days:
{link}

{comment}`,
    },
    permission: {
      subject: 'A permission for you',
      text: `{granter} gives {holder} the permission {permission} on "{title}".

{link}

{comment}`,
    },
  },
  fr: {
    commentAdded: {
      subject: 'Un nouveau commentaire',
      text: `{author} a commenté « {title} ».

{link}

{comment}`,
    },
    commentUpdated: {
      subject: 'Un commentaire modifié',
      text: `{author} a modifié un commentaire sur « {title} ».

{link}

{comment}`,
    },
    invitation: {
      subject: 'Votre invitation',
      text: `{inviter} vous invite en tant qu'utilisateur {user}.

Choisissez un mot de passe sur cette page dans les sept jours :
{link}

{comment}`,
    },
    permission: {
      subject: 'Une permission pour vous',
      text: `{granter} donne à {holder} la permission {permission} sur « {title} ».

{link}

{comment}`,
    },
  },
} as const satisfies Record<Language, Record<string, MailTemplate>>;

export type MailTemplateName = keyof (typeof mailTemplates)['en'];

/** In characters. */
const longest = { line: 500, comment: 2000 };

/** A value stays within its line, so that it cannot pass for the words of the server. */
const asLine = (value: string): string => value.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, longest.line);

/** Lines of a caller, marked as quoted. */
const asQuote = (comment: string): string =>
  comment
    .slice(0, longest.comment)
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line.replace(/\p{Cc}/gu, ' ')}`)
    .join('\n');

export function fillMailTemplate(
  name: MailTemplateName,
  language: Language,
  { comment, ...values }: Readonly<Record<string, string | undefined>>,
): MailTemplate {
  const { subject, text } = mailTemplates[language][name];
  const filled = text.replace(/\{(\w+)\}/g, (_, key: string) => {
    if (key === 'comment') return comment ? asQuote(comment) : '';
    return asLine(values[key] ?? '');
  });
  return { subject, text: `${filled.trimEnd()}\n` };
}
