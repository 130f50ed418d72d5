import { Invalid } from '../../../errors.ts';
import { requirePermission } from '../../../loaders/acls/access.ts';
import { acesOfId, shownName } from '../../../security/acl.ts';
import { mailGrantees } from '../../../store/acls/notify-grantees.ts';
import { grantedLetter } from '../../call-example.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const documentSendNotificationEmailForPermission = operation({
  id: 'Document.SendNotificationEmailForPermission',
  label: 'Send the notification email for a permission',
  category: 'Users & Groups',
  description:
    'Sends an email to the user, group members or guest to whom an ACE of the document grants a permission.',
  example: {
    before: grantedLetter,
    input: '{letter}',
    params: { id: 'ina:Read:true:Administrator::' },
  },
  kind: 'mutation',
  takes: ['document'],
  needs: 'WriteSecurity',
  isForEach: true,
  gives: 'void',
  params: { id: text.required('The id of the ACE.') },
  run: async (context, document, { id }) => {
    const row = await documentAt(context, document);
    await requirePermission(context, row, 'WriteSecurity');
    const own = (await context.load.acls.load(row.id))?.acls ?? [];
    const [ace] = acesOfId(
      own.flatMap(({ aces }) => aces),
      id,
    );
    if (!ace?.granted)
      throw new Invalid('id: the document has no ACE with this id that grants a permission.');
    const mails = await mailGrantees(context, row, [{ ...ace, begin: null }]);
    if (mails === 0) throw new Invalid(`${shownName(ace.username).slice(0, 80)} has no e-mail address.`);
    return null;
  },
});
