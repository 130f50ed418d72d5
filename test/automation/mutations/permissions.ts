import { documentAfter, type Mutation, usual } from './mutation.ts';

/** An operation that changes the ACLs of a document. */
const onAcls = (params: Record<string, unknown>): Mutation => ({
  ...usual,
  given: ({ document }) => ({ input: document?.uid, params }),
  needs: { document: ['WriteSecurity'] },
  refuses: [
    {
      given: ({ document }) => ({ input: document?.uid, params: { ...params, acl: 'inherited' } }),
      status: 400,
      message: /inherited/,
    },
  ],
  records: [['documentSecurityUpdated', 'document']],
});

/** The same, on a document that already has an ACL. */
const onItsAcl = (
  params: Record<string, unknown>,
  operation: string,
  before: Record<string, unknown> = {},
): Mutation => ({
  ...onAcls(params),
  make: documentAfter(operation, before),
});

const forBob = { user: 'bob', permission: 'WriteSecurity' };

/** Operations that change ACLs. */
export const permissionMutations: Readonly<Record<string, Mutation>> = {
  'Document.AddACE': onAcls({ user: 'bob', permission: 'Read' }),
  'Document.AddPermission': onAcls({ users: ['bob'], permission: 'Read' }),
  'Document.BlockPermissionInheritance': onAcls({}),
  'Document.RemoveACL': onItsAcl({ acl: 'local' }, 'Document.AddACE', forBob),
  'Document.RemovePermission': onItsAcl({ user: 'bob' }, 'Document.AddACE', forBob),
  'Document.ReplacePermission': onItsAcl(
    { id: 'bob:WriteSecurity:true:Administrator::', username: 'Everyone', permission: 'Read' },
    'Document.AddACE',
    forBob,
  ),
  'Document.UnblockPermissionInheritance': onItsAcl({}, 'Document.BlockPermissionInheritance'),
};
