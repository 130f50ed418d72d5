import { Invalid } from '../../../errors.ts';
import { inviteUser } from '../../../store/authorities/invitations.ts';
import { operation } from '../../operation.ts';
import { flag, propertyMap, text } from '../../params/kinds.ts';

const longestComment = 2000;

export const userInvite = operation({
  id: 'User.Invite',
  label: 'Invite a user',
  category: 'Users & Groups',
  description:
    'Creates the input user without a password, mails a page to set one, and returns the id of the invitation.',
  example: {
    input: { 'entity-type': 'user', properties: { username: 'guest', email: 'guest@example.org' } },
  },
  kind: 'mutation',
  takes: ['user'],
  gives: 'string',
  params: {
    comment: text.optional('A message for the invited user, at most 2000 characters.'),
    validationMethod: text.withDefault('EMAIL', 'Users are invited by mail alone.', { values: ['EMAIL'] }),
    autoAccept: flag.withDefault(true, 'Without effect: an invitation needs no approval.'),
    info: propertyMap.optional('Without effect.'),
  },
  run: async (context, user, { comment }) => {
    if (comment !== undefined && comment.length > longestComment)
      throw new Invalid(`comment: ${comment.length} characters, at most ${longestComment}`);
    return inviteUser(context, user, comment);
  },
});
