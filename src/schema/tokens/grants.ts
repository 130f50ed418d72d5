import { Forbidden, NotFound } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../loaders/context.ts';
import type { OAuth2TokenRow } from '../../loaders/tokens/oauth2.ts';
import type { EntryJson } from '../../model/directories/entry-fields.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { updateEntries } from '../../store/directories/directory-entries.ts';
import { revokeGrant } from '../../store/tokens/oauth2-tokens.ts';
import { OAuth2Token } from './oauth2.ts';

export const OAuth2Tokens = builder.objectRef<readonly OAuth2TokenRow[]>('OAuth2Tokens').implement({
  description: 'The access tokens that users have granted to applications.',
  fields: (t) => ({ entries: t.field({ type: [OAuth2Token], resolve: (rows) => [...rows] }) }),
});

interface Grant {
  readonly username: string;
  readonly clientId: string;
}

/** @throws Forbidden if the grant is another user's and the caller is not an administrator */
function requireOwn({ username }: Grant, { user }: Context): void {
  if (user.id !== username && !user.isAdministrator)
    throw new Forbidden(
      `Only ${username} or an administrator can access the tokens that ${username} granted.`,
    );
}

const nothing = ({ username, clientId }: Grant) =>
  new NotFound(`${username} has not granted access to ${clientId}.`);

const grant = builder.args((t) => ({
  username: t.string({ required: true }),
  clientId: t.string({ required: true }),
}));

/** @throws NotFound if there is no grant */
async function lastGrant({ load }: Context, grant: Grant): Promise<OAuth2TokenRow> {
  const last = (await load.oauth2Tokens(grant)).at(-1);
  if (!last) throw nothing(grant);
  return last;
}

builder.queryFields((t) => ({
  grants: t.field({
    type: OAuth2Tokens,
    description: 'The access tokens that the caller has granted to applications (§5), oldest first.',
    resolve: (_, __, { load, user }) => load.oauth2Tokens({ username: user.id }),
  }),
  grant: t.field({
    type: OAuth2Token,
    nullable: true,
    description:
      'The latest access token that a user has granted to an application. Only for that user and for administrators.',
    args: grant,
    resolve: (_, grant, context) => {
      requireOwn(grant, context);
      return lastGrant(context, grant);
    },
  }),
}));

/** Removes null and false values, which directory entries omit. */
const withoutNothing = (properties: EntryJson) =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null && value !== false));

builder.mutationField('updateGrant', (t) =>
  t.field({
    type: OAuth2Token,
    description:
      'Changes the creation date of the latest access token that a user has granted to an application. Only for administrators.',
    args: {
      ...grant,
      properties: t.arg({
        type: 'JSON',
        required: true,
        description:
          'The fields, as in the directory oauth2Tokens. Only creationDate can be changed; other fields must be absent or unchanged.',
      }),
    },
    resolve: async (_, { properties, ...grant }, context) => {
      requireAdministrator(context.user, 'manage OAuth clients and tokens');
      const { id } = await lastGrant(context, grant);
      const change = { properties: withoutNothing(asObject(properties)) };
      await updateEntries(context, 'oauth2Tokens', [{ id: String(id), change }]);
      return lastGrant(context, grant);
    },
  }),
);

builder.mutationField('revokeGrant', (t) =>
  t.boolean({
    description:
      'Revokes all access that a user has granted to an application. Only for that user and for administrators.',
    args: grant,
    resolve: async (_, grant, context) => {
      requireOwn(grant, context);
      if (!(await revokeGrant(context, grant))) throw nothing(grant);
      return true;
    },
  }),
);
