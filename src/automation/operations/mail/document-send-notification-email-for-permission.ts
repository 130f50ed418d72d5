import { Invalid } from '../../../errors.ts';
import { requirePermission } from '../../../loaders/acls/access.ts';
import type { Context } from '../../../loaders/context.ts';
import { recipientsOf } from '../../../loaders/mail/recipients.ts';
import { isMailAddress } from '../../../model/mail/mail-headers.ts';
import { fillMailTemplate } from '../../../model/mail/templates.ts';
import { aceId, guestPrefix } from '../../../security/acl.ts';
import { queueMails } from '../../../store/mail/queue-mail.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

/** E-mail addresses of a user, of the members of a group, or of a guest, each once. */
async function addressesOf(context: Context, holder: string): Promise<string[]> {
  if (holder.startsWith(guestPrefix))
    return [holder.slice(guestPrefix.length).split('/')[0] ?? ''].filter(isMailAddress);
  // One more than a user may write to, so that it is refused.
  const found = await recipientsOf(context, { users: [holder], groups: [holder] }, context.mail.limit + 1);
  return [...new Set(found.map(({ email }) => email).filter(isMailAddress))];
}

export const documentSendNotificationEmailForPermission = operation({
  id: 'Document.SendNotificationEmailForPermission',
  label: 'Send the notification email for a permission',
  category: 'Users & Groups',
  description: 'Mails the user, the members of the group or the guest to whom an ACE of the document grants.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'void',
  params: { id: text.required('The id of the ACE.') },
  run: async (context, document, { id }) => {
    const row = await documentAt(context, document);
    await requirePermission(context, row, 'WriteSecurity');
    const own = (await context.load.acls.load(row.id))?.acls ?? [];
    const ace = own.flatMap(({ aces }) => aces).find((each) => aceId(each) === id);
    if (!ace?.granted) throw new Invalid('id: the document has no ACE of this id that grants something');
    const addresses = await addressesOf(context, ace.username);
    if (addresses.length === 0) throw new Invalid(`${ace.username.slice(0, 80)} has no e-mail address`);
    const { language, links } = context.options;
    const draft = fillMailTemplate('permission', language, {
      granter: context.user.id,
      holder: ace.username,
      permission: ace.permission,
      title: row.title,
      link: links.document(row),
      comment: ace.comment,
    });
    await queueMails(
      context,
      addresses.map((address) => ({ ...draft, to: [address] })),
    );
    return null;
  },
});
