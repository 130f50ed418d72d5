import { builder } from '../../graphql/builder.ts';
import type { Principal } from '../../security/principal.ts';

const Login = builder.objectRef<Principal>('Login').implement({
  description: 'The authenticated caller.',
  fields: (t) => ({
    username: t.exposeString('id'),
    isAdministrator: t.exposeBoolean('isAdministrator'),
    groups: t.exposeStringList('groups', { description: 'The direct and indirect groups of the caller.' }),
  }),
});

builder.queryField('login', (t) =>
  t.field({
    type: Login,
    description: 'The identity of the caller, for clients that connect (§4.7).',
    resolve: (_, __, { user }) => user,
  }),
);
