/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { codeFor, exchange, register } from '../../oauth2/flow.ts';
import { askGraphql, type Requests } from '../../support/requests.ts';
import { statements } from '../../support/server.ts';
import { addPerson, type SsoPlace, signInAt, startSsoPlace, whoIs } from '../../support/sso-place.ts';
import { use } from '../../support/use.ts';
import { as, createUser } from '../../support/users.ts';

const place: SsoPlace = use(() => startSsoPlace({ timeout: 1 }));

const ask = <Data>(query: string, variables: object = {}, by: Requests = place.server.request) =>
  askGraphql<Data>(by, query, variables);

/** Sends a query that fails. @returns the code and the message of the error */
async function faultOf(query: string, variables: object = {}, by: Requests = place.server.request) {
  const { body } = await by.post('/graphql').send({ query, variables });
  const [{ message, extensions }] = body.errors;
  return [extensions.code, message];
}

interface SignIn {
  readonly hasPassword: boolean;
  readonly lastSignIn: string | null;
  readonly identities: ReadonlyArray<{ readonly id: string; readonly subject: string }>;
}

const signInQuery = `query ($id: ID!) { user(id: $id) { signIn {
  hasPassword hasSecondFactor isLinkable lastSignIn identities { id provider label subject creationDate lastSignIn endDate }
  managedProperties { name label } managedGroups { name label } } } }`;

const signInOf = async (id: string): Promise<SignIn> =>
  (await ask<{ user: { signIn: SignIn } }>(signInQuery, { id })).user.signIn;

describe('The sign-in of a user', () => {
  test('shows identities, the last sign-in, and what comes from the provider', async () => {
    await signInAt(place, addPerson('jane', {}, place));
    await place.server.journal.flush();
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await signInOf('jane')).toEqual({
      hasPassword: false,
      hasSecondFactor: false,
      isLinkable: true,
      lastSignIn: time,
      identities: [
        {
          id: expect.any(String),
          provider: 'example',
          label: 'Example',
          subject: 'sub-jane',
          creationDate: time,
          lastSignIn: time,
          endDate: null,
        },
      ],
      managedProperties: [
        { name: 'firstName', label: 'Example' },
        { name: 'email', label: 'Example' },
      ],
      managedGroups: [{ name: 'members', label: 'Example' }],
    });
  });

  test('of a local user has no origin, and the administrator cannot be linked', async () => {
    await createUser(place.server, 'local');
    expect(await signInOf('local')).toEqual({
      hasPassword: true,
      hasSecondFactor: false,
      isLinkable: true,
      lastSignIn: null,
      identities: [],
      managedProperties: [],
      managedGroups: [],
    });
    expect(await signInOf('Administrator')).toMatchObject({ isLinkable: false, identities: [] });
  });

  test('is read with a constant number of statements', async () => {
    const users = `{ users(q: "many-", pageSize: 50) { entries { id signIn { lastSignIn identities { id } } } } }`;
    const count = async (names: readonly string[]) => {
      for (const name of names) {
        await createUser(place.server, name);
        await ask(
          `mutation { linkIdentity(username: "${name}", provider: "example", subject: "${name}") { id } }`,
        );
      }
      const response = await place.server.request.post('/graphql').send({ query: users });
      expect(response.body.data.users.entries.at(-1).signIn.identities).toHaveLength(1);
      return statements(response);
    };
    const few = await count(['many-1', 'many-2']);
    expect(await count(['many-3', 'many-4', 'many-5', 'many-6', 'many-7'])).toBe(few);
  });
});

describe('Linking by an administrator', () => {
  const link =
    'mutation ($provider: String!, $subject: String!) { linkIdentity(username: "ivy", provider: $provider, subject: $subject) { signIn { identities { subject lastSignIn } } } }';

  beforeAll(() => createUser(place.server, 'ivy'));

  test('lets the identity sign in as the user', async () => {
    const subject = addPerson('ivy-elsewhere', {}, place);
    const linked = await ask(link, { provider: 'example', subject });
    expect(linked).toEqual({ linkIdentity: { signIn: { identities: [{ subject, lastSignIn: null }] } } });
    const { visitor } = await signInAt(place, subject);
    expect(await whoIs(visitor, place)).toMatchObject({ status: 200, body: { id: 'ivy' } });
    expect(await place.server.database.prisma.user.count({ where: { id: 'ivy-elsewhere' } })).toBe(0);
    const where = { eventId: 'user_modified', principalName: 'Administrator' };
    const logged = await place.server.database.prisma.logEntry.findMany({ where });
    expect(logged.map(({ extended }) => extended)).toContainEqual({
      id: 'ivy',
      created: 'identity',
      provider: 'example',
    });
  });

  test.each([
    [{ provider: 'other', subject: 'x' }, 'INVALID', /^provider: there is no identity provider named other/],
    [{ provider: 'example', subject: '' }, 'INVALID', /^subject must have 1 to 255 characters/],
    [{ provider: 'example', subject: 'x'.repeat(256) }, 'INVALID', /^subject must have/],
  ])('refuses %j', async (variables, code, message) => {
    expect(await faultOf(link, variables)).toEqual([code, expect.stringMatching(message)]);
  });

  test('is refused for another user’s identity, the administrator, unknown users and other callers', async () => {
    await signInAt(place, addPerson('owner', {}, place));
    expect(await faultOf(link, { provider: 'example', subject: 'sub-owner' })).toEqual([
      'CONFLICT',
      expect.stringContaining('is already linked to the user owner'),
    ]);
    const other = (username: string) =>
      `mutation { linkIdentity(username: "${username}", provider: "example", subject: "free") { id } }`;
    expect(await faultOf(other('Administrator'))).toEqual([
      'CONFLICT',
      'Administrator is the administrator of this server, and cannot be linked to a provider.',
    ]);
    expect((await faultOf(other('nobody')))[0]).toBe('NOT_FOUND');
    await createUser(place.server, 'editor', ['powerusers']);
    await as(place.server, 'editor')
      .post('/graphql')
      .send({ query: other('ivy') })
      .expect(403);
  });
});

describe('Unlinking', () => {
  const unlink = 'mutation ($username: ID!, $id: ID!) { unlinkIdentity(username: $username, id: $id) }';

  test('ends the sessions, tokens and grants of the user, and the identity cannot sign in', async () => {
    const { server, origin, provider } = place;
    const subject = addPerson('leaver', {}, place);
    await createUser(server, 'leaver');
    await ask(
      `mutation { linkIdentity(username: "leaver", provider: "example", subject: "${subject}") { id } }`,
    );
    const { visitor } = await signInAt(place, subject);
    const { text: token } = await as(server, 'leaver').post('/api/v1/token?application=phone').expect(201);
    await register(server);
    const { body: grant } = await exchange(server, await codeFor(server, {}, 'leaver')).expect(200);
    const access = await provider.accessToken(subject);
    const status = async (header: string, value: string) =>
      (await server.anonymous.get('/api/v1/me').set(header, value)).status;
    const statuses = async () => [
      (await whoIs(visitor, { origin })).status,
      await status('X-Authentication-Token', token),
      await status('Authorization', `Bearer ${grant.access_token}`),
      await status('Authorization', `Bearer ${access}`),
    ];
    expect(await statuses()).toEqual([200, 200, 200, 200]);

    const [identity] = (await signInOf('leaver')).identities;
    const variables = { username: 'leaver', id: identity?.id };
    expect(await ask(unlink, variables)).toEqual({ unlinkIdentity: identity?.id });
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    await as(server, 'leaver').get('/api/v1/me').expect(200);
    expect((await signInAt(place, subject)).status).toBe(409);
    expect(await faultOf(unlink, variables)).toEqual([
      'NOT_FOUND',
      `leaver has no identity with the id ${identity?.id}.`,
    ]);
    expect((await faultOf(unlink, { username: 'leaver', id: 'x' }))[0]).toBe('NOT_FOUND');
  });
});

describe('The identity providers', () => {
  const query = `{ identityProviders { name kind label issuer createsUsers properties { name claim }
    groups { name claim values } state { isReachable fault } } }`;

  test('are shown with their rules, without secrets, and with whether they respond', async () => {
    const { provider } = place;
    const shown = {
      name: 'example',
      kind: 'oidc',
      label: 'Example',
      issuer: provider.issuer,
      createsUsers: true,
      properties: [
        { name: 'firstName', claim: 'given_name' },
        { name: 'email', claim: 'email' },
      ],
      groups: [{ name: 'members', claim: 'groups', values: ['staff'] }],
    };
    expect(await ask(query)).toEqual({
      identityProviders: [{ ...shown, state: { isReachable: true, fault: null } }],
    });
    provider.intercept = async () => false;
    expect(await ask(query)).toEqual({
      identityProviders: [{ ...shown, state: { isReachable: false, fault: expect.stringMatching(/\w/) } }],
    });
    provider.intercept = undefined;
    expect(JSON.stringify(await ask(query))).not.toContain('a secret of the client');
  });
});
