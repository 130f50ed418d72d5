import type { Context } from '../context.ts';
import { Forbidden, NotFound } from '../errors.ts';
import type { OAuth2TokenRow } from '../loaders/oauth2.ts';
import { revokeGrant } from '../store/oauth2-tokens.ts';
import { builder } from './builder.ts';
import { OAuth2Token } from './oauth2.ts';

const OAuth2Tokens = builder.objectRef<readonly OAuth2TokenRow[]>('OAuth2Tokens').implement({
  description: 'What applications were granted.',
  fields: (t) => ({ entries: t.field({ type: [OAuth2Token], resolve: (rows) => [...rows] }) }),
});

/** Whose it is, and what was granted it. */
interface Grant {
  readonly username: string;
  readonly clientId: string;
}

/** @throws Forbidden unless it is the caller's own, or the caller an administrator. */
function requireOwn({ username }: Grant, { user }: Context): void {
  if (user.id !== username && !user.isAdministrator)
    throw new Forbidden(`what ${username} granted is not the business of ${user.id}`);
}

const nothing = ({ username, clientId }: Grant) => new NotFound(`${username} granted nothing to ${clientId}`);

const grant = builder.args((t) => ({
  username: t.string({ required: true }),
  clientId: t.string({ required: true }),
}));

builder.queryFields((t) => ({
  grants: t.field({
    type: OAuth2Tokens,
    description: 'What the caller granted to applications (§5), the oldest first.',
    resolve: (_, __, { load, user }) => load.oauth2Tokens({ username: user.id }),
  }),
  grant: t.field({
    type: OAuth2Token,
    description: 'The last that a user granted to an application: for the user, and for administrators.',
    args: grant,
    resolve: async (_, given, context) => {
      requireOwn(given, context);
      const last = (await context.load.oauth2Tokens(given)).at(-1);
      if (!last) throw nothing(given);
      return last;
    },
  }),
}));

builder.mutationField('revokeGrant', (t) =>
  t.boolean({
    description:
      'Ends all access of an application to what is a user’s: for the user, and for administrators.',
    args: grant,
    resolve: async (_, given, context) => {
      requireOwn(given, context);
      if (!(await revokeGrant(context, given))) throw nothing(given);
      return true;
    },
  }),
);
