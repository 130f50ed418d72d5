import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { newFolder } from './folder.ts';
import { use } from './use.ts';

/** The audience of access tokens that are issued for Quire. */
export const audience = 'urn:example:quire';

/** The audience of access tokens that are issued for Quire and are not JWTs. */
export const opaqueAudience: string = `${audience}:opaque`;

export const clientId = 'quire';
const clientSecret = 'a secret of the client';

/** Removes the provider's advice for production use from the output of tests. */
for (const level of ['info', 'warn'] as const) {
  const { [level]: print } = console;
  console[level] = (...texts: unknown[]) => {
    if (!String(texts[0]).startsWith('oidc-provider ')) print(...texts);
  };
}

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
}

async function newKey(alg: string, kid: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey };
}

/** A real OpenID Connect provider on a free port of this computer. Users sign in with a name and any password. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The claims of users by their subject, which is also the name with which they sign in. */
  readonly users: Map<string, Record<string, unknown>>;
  /** Allows the Quire server with the given origin to use this provider, which its IDENTITY_FILE calls `name`. */
  readonly allow: (origin: string, name?: string) => Promise<void>;
  /** Returns the entry for this provider in IDENTITY_FILE. */
  readonly settings: (more?: object) => Record<string, unknown>;
  /** Signs a token with this provider's key or with another key. */
  readonly sign: (payload: JWTPayload, header?: object, key?: CryptoKey | Uint8Array) => Promise<string>;
  /** Issues an access token to a user. */
  readonly accessToken: (subject: string, resource?: string) => Promise<string>;
  /** Replaces the signing key. */
  readonly rotate: (alg?: string) => Promise<void>;
  /** Called before the provider responds to a request. If it returns false, no response is sent. */
  intercept: ((path: string) => Promise<boolean>) | undefined;
  /** The paths that have been requested. */
  readonly requested: string[];
  readonly provider: () => Provider;
  readonly stop: () => Promise<void>;
}

const emptyForm = (
  action: string,
): string => `<!doctype html><html lang="en"><head><title>Example</title></head><body>
<h1>Example</h1><form method="post" action="${action}"><label>Name <input name="login" required></label><button>Sign in</button></form></body></html>`;

/** Starts a provider. @param host the host name with which browsers reach the provider */
export async function startOidcProvider(host = 'localhost', more: Configuration = {}): Promise<TestProvider> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const test = { intercept: undefined } as { intercept: TestProvider['intercept'] };
  const requested: string[] = [];
  const http = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    requested.push(path);
    void (async () => {
      if ((await test.intercept?.(path)) === false) return;
      listener(request, response);
    })();
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://${host}:${(http.address() as AddressInfo).port}`;
  const users: TestProvider['users'] = new Map();
  const origins = new Map<string, string>();
  let key = await newKey('RS256', 'first');
  let rotations = 0;
  let provider: Provider;

  const resourceInfo = (resource: string) =>
    resource === opaqueAudience
      ? ({ scope: 'read', audience: resource, accessTokenFormat: 'opaque' } as const)
      : ({
          scope: 'read',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: key.alg as 'RS256' } },
        } as const);

  const create = async () => {
    const redirects = [...origins.keys()];
    provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
          redirect_uris: [...origins].map(([origin, name]) => `${origin}/sso/${name}/callback`),
          post_logout_redirect_uris: redirects.map((origin) => `${origin}/`),
          response_types: ['code'],
          id_token_signed_response_alg: key.alg as 'RS256',
          ...(redirects[0] !== undefined && {
            backchannel_logout_uri: `${redirects[0]}/sso/example/backchannel_logout`,
            backchannel_logout_session_required: true,
          }),
        },
      ],
      jwks: { keys: [{ ...(await exportJWK(key.privateKey)), kid: key.kid, alg: key.alg, use: 'sig' }] },
      cookies: { keys: ['a key of the provider'] },
      claims: {
        openid: ['sub'],
        profile: ['name', 'given_name', 'family_name', 'preferred_username', 'groups'],
        email: ['email', 'email_verified'],
      },
      pkce: { required: () => true },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...users.get(id) }),
      }),
      features: {
        devInteractions: { enabled: false },
        introspection: { enabled: true },
        clientCredentials: { enabled: true },
        backchannelLogout: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => [],
          useGrantedResource: () => true,
          getResourceServerInfo: (_context, resource) => resourceInfo(resource),
        },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context: KoaContextWithOIDC, form: string) => {
            context.body = `<!doctype html><html lang="en"><head><title>Example</title></head><body><h1>Sign out?</h1>${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Yes</button></body></html>`;
          },
        },
        ...more.features,
      } as NonNullable<Configuration['features']>,
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      // The organization gives its consent, so users are not asked.
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: context.oidc.client?.clientId ?? '',
          accountId: context.oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid profile email offline_access');
        grant.addResourceScope(audience, 'read');
        await grant.save();
        return grant;
      },
      ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== 'features')),
    });
    provider.use(async (context, next) => {
      if (!context.path.startsWith('/interaction/')) return next();
      if (context.method === 'GET') {
        context.type = 'html';
        context.body = emptyForm(context.path);
        return undefined;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of context.req) chunks.push(chunk as Buffer);
      const accountId = new URLSearchParams(Buffer.concat(chunks).toString()).get('login') ?? '';
      const result = users.has(accountId)
        ? { login: { accountId } }
        : { error: 'access_denied', error_description: 'There is no such user.' };
      await provider.interactionFinished(context.req, context.res, result, {
        mergeWithLastSubmission: false,
      });
      context.respond = false;
      return undefined;
    });
    const answer = provider.callback();
    listener = (request, response) => void answer(request, response);
  };
  await create();

  const stop = async () => {
    http.closeAllConnections();
    http.close();
  };
  return Object.assign(test, {
    issuer,
    users,
    requested,
    allow: async (origin: string, name = 'example') => {
      origins.set(origin, name);
      return create();
    },
    settings: (settings = {}) => ({
      kind: 'oidc',
      label: 'Example',
      issuer,
      clientId,
      clientSecret: { file: 'secret' },
      accessTokens: { audience },
      ...settings,
    }),
    sign: async (payload: JWTPayload, header = {}, other: CryptoKey | Uint8Array = key.privateKey) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
        .sign(other),
    accessToken: async (subject: string, resource = audience) => {
      const { AccessToken, Client, Grant, ResourceServer } = provider;
      const client = await Client.find(clientId);
      if (!client) throw new Error('The provider has no client.');
      const grant = new Grant({ clientId, accountId: subject });
      grant.addResourceScope(resource, 'read');
      const token = new AccessToken({
        accountId: subject,
        client,
        grantId: await grant.save(),
        gty: 'authorization_code',
        scope: 'read',
      } as ConstructorParameters<typeof AccessToken>[0]);
      token.resourceServer = new ResourceServer(resource, resourceInfo(resource));
      return token.save();
    },
    rotate: async (alg = 'RS256') => {
      rotations += 1;
      key = await newKey(alg, `rotated-${rotations}`);
      await create();
    },
    provider: () => provider,
    stop,
    [Symbol.asyncDispose]: stop,
  });
}

/** Starts one provider for all tests in a file. */
export const useOidcProvider = (host?: string, more?: Configuration): TestProvider =>
  use(() => startOidcProvider(host, more), {});

/**
 * Writes an IDENTITY_FILE and, next to it, a file with the client secret. @returns the settings of a server that uses
 * it
 */
export function identityFile(providers: Record<string, unknown>): Record<string, string> {
  const folder = newFolder();
  writeFileSync(join(folder, 'secret'), `${clientSecret}\n`);
  const path = join(folder, 'identity.json');
  writeFileSync(path, JSON.stringify({ providers }));
  return { IDENTITY_FILE: path, AUTH_CHAIN: 'basic,token,oauth2,jwt,oidc' };
}

/**
 * A minimal browser that renders nothing. It follows redirects, and stores cookies by host, regardless of the port.
 */
export class WebVisitor {
  readonly cookies = new Map<string, Map<string, { value: string; path: string }>>();

  #jar(host: string) {
    const jar = this.cookies.get(host) ?? new Map<string, { value: string; path: string }>();
    this.cookies.set(host, jar);
    return jar;
  }

  /** Sends one request. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { hostname, pathname } = new URL(url);
    const jar = this.#jar(hostname);
    const cookie = [...jar]
      .filter(
        ([, { path }]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
      )
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const headers = { accept: 'text/html', ...(cookie && { cookie }), ...(init.headers as object) };
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
      const isGone = value === '' || attributes.some((each) => /^expires=.* 1970/i.test(each));
      if (isGone) jar.delete(name);
      else jar.set(name, { value, path });
    }
    return response;
  }

  /**
   * Opens a page and follows redirects. Stops at the last page, or at a redirect to an address that `stop` accepts.
   */
  async open(url: string, stop: (url: string) => boolean = () => false, init: RequestInit = {}) {
    let [address, response] = [url, await this.fetch(url, init)];
    for (
      let location = response.headers.get('location');
      location;
      location = response.headers.get('location')
    ) {
      await response.body?.cancel();
      address = new URL(location, address).href;
      if (stop(address)) break;
      response = await this.fetch(address);
    }
    return { address, response };
  }

  /**
   * Signs in at the provider, starting from an address. @returns the last page, or the address that `stop` accepted
   */
  async signIn(url: string, login: string, stop?: (url: string) => boolean) {
    const form = await this.open(url, stop);
    if (!/\/interaction\//.test(form.address)) return form;
    await form.response.body?.cancel();
    const body = new URLSearchParams({ login });
    return this.open(form.address, stop, { method: 'POST', body });
  }
}
