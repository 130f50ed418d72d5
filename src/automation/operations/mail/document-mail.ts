import { Invalid, TooLarge } from '../../../errors.ts';
import type { Context } from '../../../loaders/context.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { recipientsOf } from '../../../loaders/mail/recipients.ts';
import { isMailAddress, subjectFault } from '../../../model/mail/mail-headers.ts';
import { type BlobShape, blobsAt } from '../../../model/values/document-blob.ts';
import { type MailDraft, queueMails } from '../../../store/mail/queue-mail.ts';
import { documentAt } from '../../documents/document-at.ts';
import { documentMutation } from '../../operation.ts';
import { flag, text, texts } from '../../params/kinds.ts';

/**
 * The maximum number of recipients. One more recipient than that is read, so that a longer list is detected and
 * rejected.
 */
const maxRecipients = 1000;

const groupPrefix = 'group:';

interface Named {
  readonly kind: 'address' | 'user' | 'group';
  readonly name: string;
}

/**
 * Parses a recipient.
 * @throws Invalid if it contains an @ but is not an e-mail address
 */
function readName(given: string, param: string): Named {
  const text = given.trim();
  if (text.startsWith(groupPrefix)) return { kind: 'group', name: text.slice(groupPrefix.length) };
  if (text.startsWith('user:')) return { kind: 'user', name: text.slice('user:'.length) };
  if (!text.includes('@')) return { kind: 'user', name: text };
  if (!isMailAddress(text))
    throw new Invalid(`${param}: ${JSON.stringify(text.slice(0, 80))} is not an e-mail address.`);
  return { kind: 'address', name: text };
}

/**
 * Returns the e-mail addresses of the given recipients, each of which is an e-mail address, a user name, or a group
 * written as `group:NAME`.
 * @param isStrict whether a recipient without an e-mail address is rejected
 * @throws Invalid
 */
async function mailAddresses<Name extends string>(
  context: Context,
  given: Readonly<Record<Name, readonly string[] | undefined>>,
  isStrict: boolean,
): Promise<Record<Name, string[]>> {
  const read = Object.entries<readonly string[] | undefined>(given).map(
    ([param, names = []]) => [param, names.map((name) => readName(name, param))] as const,
  );
  const all = read.flatMap(([, names]) => names);
  const of = (kind: Named['kind']) => all.filter((each) => each.kind === kind).map(({ name }) => name);
  const wanted = { users: of('user'), groups: of('group') };
  const found = await recipientsOf(context, wanted, maxRecipients + 1);
  if (found.length + of('address').length > maxRecipients)
    throw new Invalid(`An email can have at most ${maxRecipients} recipients.`);
  const addressesOf = ({ kind, name }: Named, param: string): string[] => {
    if (kind === 'address') return [name];
    const those = found.filter((each) => each.kind === kind && each.name === name);
    const valid = those.map(({ email }) => email).filter(isMailAddress);
    if (isStrict && valid.length === 0)
      throw new Invalid(
        `${param}: the ${kind} ${name.slice(0, 80)} does not exist or has no e-mail address.`,
      );
    return valid;
  };
  return Object.fromEntries(
    read.map(([param, names]) => [param, [...new Set(names.flatMap((name) => addressesOf(name, param)))]]),
  ) as Record<Name, string[]>;
}

/** The maximum number of characters in a message, and the maximum total size of the attached files in bytes. */
const max = { message: 100_000, files: 20 * 1024 ** 2 };

/** @throws Invalid, TooLarge */
function filesOf(
  { services: { model } }: Context,
  row: DocumentRow,
  xpaths: readonly string[] = [],
): NonNullable<MailDraft['files']> {
  const blobs = xpaths.flatMap((xpath): readonly BlobShape[] => {
    const found = blobsAt(model, row, xpath);
    if (!found) throw new Invalid(`files: ${xpath.slice(0, 80)} is not a property of the document.`);
    return found;
  });
  const bytes = blobs.reduce((sum, { length }) => sum + length, 0);
  if (bytes > max.files)
    throw new TooLarge(`files must not exceed ${max.files} bytes in total; they have ${bytes} bytes.`);
  return blobs.map(({ name, mimeType, digest }) => ({ name: name ?? row.name, mimeType, digest }));
}

const recipients = 'E-mail addresses, names of users, and groups as group:NAME.';

export const documentMail = documentMutation({
  id: 'Document.Mail',
  label: 'Send E-Mail',
  category: 'Notification',
  description: 'Sends an email about the input document, and returns the document. Only for administrators.',
  example: {
    input: '/default-domain/workspaces/report',
    params: { subject: 'The report', message: 'It is done.', to: ['ina'] },
  },
  isForAdministrators: true,
  needs: 'Read',
  params: {
    subject: text.required('The subject: one line of at most 255 characters.'),
    message: text.required('The text, at most 100,000 characters. Expressions in it are not evaluated.'),
    to: texts.required(recipients),
    from: text.optional('The address for replies if replyto is absent. The sender is always the server.'),
    cc: texts.optional(recipients),
    bcc: texts.optional(recipients),
    replyto: texts.optional(recipients),
    files: texts.optional('The xpaths of the files to attach, at most 20 MB in total.'),
    HTML: flag.withDefault(false, 'Whether the message is HTML.', { aliases: ['asHTML'] }),
    rollbackOnError: flag.withDefault(true, 'Ignored, because the email is sent after the call.'),
    'Strict User Resolution': flag.withDefault(
      true,
      'Whether the call fails if a recipient has no e-mail address. Otherwise such recipients are skipped.',
    ),
    viewId: text.optional('Ignored.'),
  },
  run: async (context, document, given) => {
    const { subject, message, from, HTML: isHtml, 'Strict User Resolution': isStrict } = given;
    const row = await documentAt(context, document);
    const fault = subjectFault(subject);
    if (fault) throw new Invalid(`subject: ${fault}`);
    if (message.length > max.message)
      throw new Invalid(`message must have at most ${max.message} characters; it has ${message.length}.`);
    const named = { to: given.to, cc: given.cc, bcc: given.bcc, replyto: given.replyto };
    const mailFields = { ...named, from: from === undefined ? undefined : [from] };
    const { replyto, from: sender, ...found } = await mailAddresses(context, mailFields, isStrict);
    if (found.to.length + found.cc.length + found.bcc.length === 0)
      throw new Invalid('to must contain at least one e-mail address, or one user or group that has one.');
    const replyTo = replyto.length > 0 ? replyto : sender;
    const files = filesOf(context, row, given.files);
    await queueMails(context, [{ ...found, replyTo, subject, text: message, isHtml, files }]);
    return row;
  },
});
