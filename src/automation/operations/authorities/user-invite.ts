import { Invalid } from '../../../errors.ts';
import { inviteUser } from '../../../store/authorities/invitations.ts';
import { operation } from '../../operation.ts';
import { flag, propertyMap, text } from '../../params/kinds.ts';

const maxCharacters = 2000;

export const userInvite = operation({
  id: 'User.Invite',
  label: 'Invite a user',
  category: 'Users & Groups',
  description:
    'Creates the input user without a password, sends an email with a link to set one, and returns the id of the invitation.',
  example: {
    input: { 'entity-type': 'user', properties: { username: 'guest', email: 'guest@example.org' } },
  },
  kind: 'mutation',
  takes: ['user'],
  gives: 'string',
  params: {
    comment: text.optional('A message for the invited user, at most 2000 characters.'),
    validationMethod: text.withDefault('EMAIL', 'How users are invited; only EMAIL is supported.', {
      values: ['EMAIL'],
    }),
    autoAccept: flag.withDefault(true, 'Ignored, because an invitation needs no approval.'),
    info: propertyMap.optional('Ignored.'),
  },
  run: async (context, user, { comment }) => {
    if (comment !== undefined && comment.length > maxCharacters)
      throw new Invalid(`comment must have at most ${maxCharacters} characters; it has ${comment.length}.`);
    return inviteUser(context, user, comment);
  },
});
