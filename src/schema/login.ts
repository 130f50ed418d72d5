import type { Principal } from '../scope.ts';
import { builder } from './builder.ts';

const Login = builder.objectRef<Principal>('Login').implement({
  description: 'Who is asking, as the credentials of the request say.',
  fields: (t) => ({
    username: t.exposeString('id'),
    isAdministrator: t.exposeBoolean('isAdministrator'),
    groups: t.stringList({
      description: 'All of them, those reached through other groups included.',
      resolve: ({ groups }) => [...groups],
    }),
  }),
});

builder.queryField('login', (t) =>
  t.field({
    type: Login,
    description: 'What clients ask when they connect (§4.7).',
    resolve: (_, __, { user }) => user,
  }),
);
