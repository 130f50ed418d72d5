import { Invalid, NotFound } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { single } from '../../graphql/single.ts';
import type { Context } from '../../loaders/context.ts';
import type { OAuth2ClientRow } from '../../loaders/tokens/oauth2.ts';
import { requireAdministrator } from '../../security/principal.ts';
import {
  createOAuth2Clients,
  deleteOAuth2Clients,
  type OAuth2ClientFields,
  updateOAuth2Clients,
} from '../../store/tokens/oauth2-clients.ts';
import { OAuth2Client } from './oauth2.ts';

/** @throws NotFound if no client has the given id */
async function clientNamed({ load }: Context, clientId: string): Promise<OAuth2ClientRow> {
  const [client] = await load.oauth2Clients(clientId);
  if (!client) throw new NotFound(`There is no OAuth client ${clientId}.`);
  return client;
}

interface Addressed {
  readonly id?: number | null | undefined;
  readonly clientId?: string | null | undefined;
}

/**
 * Returns the number of a client that is identified either by this number or by its client id.
 * @throws Invalid, NotFound
 */
async function numberOf(context: Context, { id, clientId }: Addressed): Promise<number> {
  if (typeof id === 'number' && typeof clientId !== 'string') return id;
  if (typeof id === 'number' || typeof clientId !== 'string')
    throw new Invalid('Either the id or the clientId of the OAuth client must be given, but not both.');
  return (await clientNamed(context, clientId)).id;
}

builder.queryField('client', (t) =>
  t.field({
    type: OAuth2Client,
    nullable: true,
    description: 'An application that can request access (§5). Only for administrators.',
    args: { clientId: t.arg.string({ required: true }) },
    resolve: (_, { clientId }, context) => {
      requireAdministrator(context.user, 'manage OAuth clients and tokens');
      return clientNamed(context, clientId);
    },
  }),
);

const ClientInput = builder.inputType('OAuth2ClientInput', {
  description: 'Absent fields keep their values; a new client gets the defaults.',
  fields: (t) => ({
    clientId: t.string(),
    name: t.string(),
    clientSecret: t.string({ description: 'Null removes the value.' }),
    redirectURIs: t.stringList(),
    autoGrant: t.boolean(),
    enabled: t.boolean(),
  }),
});

const fresh: OAuth2ClientFields = {
  clientId: '',
  name: '',
  clientSecret: null,
  redirectURIs: [],
  autoGrant: false,
  enabled: true,
};

type Input = typeof ClientInput.$inferInput;

/** Removes null values, which count as absent. The secret is an exception: null removes it. */
const withoutNulls = ({ clientSecret, ...others }: Input): Partial<OAuth2ClientFields> => ({
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null && value !== undefined)),
  ...(clientSecret !== undefined && { clientSecret }),
});

builder.mutationFields((t) => ({
  createOAuth2Client: t.field({
    type: OAuth2Client,
    args: { client: t.arg({ type: ClientInput, required: true }) },
    resolve: async (_, { client }, context) => {
      requireAdministrator(context.user, 'manage OAuth clients and tokens');
      return single(await createOAuth2Clients(context, [{ ...fresh, ...withoutNulls(client) }]));
    },
  }),
  updateOAuth2Client: t.field({
    type: OAuth2Client,
    args: {
      id: t.arg.int({ description: 'The number of the client; an alternative to clientId.' }),
      clientId: t.arg.string(),
      client: t.arg({ type: ClientInput, required: true }),
    },
    resolve: async (_, { client, ...addressed }, context) => {
      requireAdministrator(context.user, 'manage OAuth clients and tokens');
      const id = await numberOf(context, addressed);
      return single(await updateOAuth2Clients(context, [{ id, change: withoutNulls(client) }]));
    },
  }),
  deleteOAuth2Client: t.int({
    description: 'Deletes a client with its tokens, and returns its id.',
    args: {
      id: t.arg.int({ description: 'The number of the client; an alternative to clientId.' }),
      clientId: t.arg.string(),
    },
    resolve: async (_, addressed, context) => {
      requireAdministrator(context.user, 'manage OAuth clients and tokens');
      const id = await numberOf(context, addressed);
      await deleteOAuth2Clients(context, [id]);
      return id;
    },
  }),
}));
