import { userWorkspace } from '../../store/user-workspaces.ts';
import { operation } from '../operation.ts';

/** A place of the caller's own. */
export const userGetUserWorkspace = operation({
  id: 'User.GetUserWorkspace',
  label: 'Get Home',
  category: 'Users & Groups',
  description: "Answers the caller's own workspace, which is made when it is not there yet.",
  kind: 'mutation',
  takes: ['void'],
  gives: 'document',
  params: {},
  run: async (context) => userWorkspace(context),
});
