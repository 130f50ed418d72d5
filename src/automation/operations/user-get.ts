import { NotFound } from '../../errors.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** A user. */
export const userGet = operation({
  id: 'User.Get',
  aliases: ['NuxeoPrincipal.Get'],
  label: 'Get User',
  category: 'Users & Groups',
  description: 'Answers a user; whoever asks when nobody is named.',
  kind: 'query',
  takes: ['void'],
  gives: 'user',
  params: { login: optional(text, 'The name of the user.') },
  run: async ({ load, user }, _, { login = user.id }) => {
    const found = await load.userById.load(login);
    if (!found) throw new NotFound(`user does not exist: ${login}`);
    return found;
  },
});
