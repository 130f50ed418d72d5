import { ensureUserWorkspace } from '../../../store/authorities/user-workspaces.ts';
import { operation } from '../../operation.ts';

export const userGetUserWorkspace = operation({
  id: 'User.GetUserWorkspace',
  label: 'Get Home',
  category: 'Users & Groups',
  description: "Returns the caller's own workspace, which is created on first use.",
  example: {},
  kind: 'mutation',
  gives: 'document',
  run: ensureUserWorkspace,
});
