import { NotFound } from '../../../errors.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const userGet = operation({
  id: 'User.Get',
  aliases: ['NuxeoPrincipal.Get'],
  label: 'Get User',
  category: 'Users & Groups',
  description: 'Returns a user; by default, the caller.',
  example: { params: { login: 'ina' } },
  gives: 'user',
  params: { login: text.optional('The name of the user.') },
  run: async ({ load, user }, _, { login = user.id }) => {
    const found = await load.userById.load(login);
    if (!found) throw new NotFound(`user does not exist: ${login}`);
    return found;
  },
});
