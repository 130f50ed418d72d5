import { createHash } from 'node:crypto';
import type { TestServer } from '../support/server.ts';

export const redirect = 'https://app.example.org/back';

/** Registers a client by GraphQL as the administrator; returns its row. */
export async function register(
  { request }: Pick<TestServer, 'request'>,
  client: Record<string, unknown> = {},
): Promise<{ id: number; clientId: string }> {
  const query = `mutation ($client: OAuth2ClientInput!) { createOAuth2Client(client: $client) { id clientId } }`;
  const whole = { clientId: 'app', name: 'The app', redirectURIs: [redirect], ...client };
  const { body } = await request.post('/graphql').send({ query, variables: { client: whole } });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data.createOAuth2Client;
}

type Fields = Record<string, string | undefined>;

const set = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;

/** Answers the consent page as a program does, with credentials. */
export const submit = ({ anonymous }: Pick<TestServer, 'anonymous'>, fields: Fields = {}, user = 'ann') =>
  anonymous
    .post('/oauth2/authorize_submit')
    .auth(user, 'secret')
    .type('form')
    .send(
      set({ response_type: 'code', client_id: 'app', redirect_uri: redirect, grant_access: '1', ...fields }),
    );

/** The query parameters of the URL of a redirect. */
export const landed = (response: { headers: Record<string, string> }): Record<string, string> =>
  Object.fromEntries(new URL(response.headers.location ?? '').searchParams);

/** A code for a client. */
export async function codeFor(
  server: Pick<TestServer, 'anonymous'>,
  fields: Fields = {},
  user = 'ann',
): Promise<string> {
  const { code } = landed(await submit(server, fields, user).expect(302));
  if (code === undefined) throw new Error('there is no code');
  return code;
}

/** Requests tokens. */
export const ask = ({ anonymous }: Pick<TestServer, 'anonymous'>, fields: Fields) =>
  anonymous
    .post('/oauth2/token')
    .type('form')
    .send(set({ client_id: 'app', ...fields }));

/** Exchanges a code for tokens. */
export const exchange = (server: Pick<TestServer, 'anonymous'>, code: string, fields: Fields = {}) =>
  ask(server, { grant_type: 'authorization_code', code, redirect_uri: redirect, ...fields });

export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
}

/** A pair of tokens, obtained by a code. */
export async function tokensFor(
  server: Pick<TestServer, 'anonymous'>,
  user = 'ann',
  fields: Fields = {},
): Promise<Tokens> {
  const { client_id } = fields;
  const code = await codeFor(server, client_id ? { client_id } : {}, user);
  return (await exchange(server, code, fields).expect(200)).body as Tokens;
}

export const refresh = (server: Pick<TestServer, 'anonymous'>, refresh_token: string, fields: Fields = {}) =>
  ask(server, { grant_type: 'refresh_token', refresh_token, ...fields });

/** Sends a request that every user is permitted to, with an access token. */
export const read = ({ anonymous }: Pick<TestServer, 'anonymous'>, token: string) =>
  anonymous.get('/api/v1/config/types').set('Authorization', `Bearer ${token}`);

/** A verifier, and its challenge by S256. */
export const verifier = 'a-verifier-of-at-least-forty-three-letters~._0123456789';
export const challenge = createHash('sha256').update(verifier).digest('base64url');
