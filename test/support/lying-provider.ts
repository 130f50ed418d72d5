import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** An OpenID Connect provider that signs everyone in at once, with the ID token that a test chooses. */
export interface LyingProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Returns the payload of a valid ID token for the sign-in that was started last. */
  readonly payload: (more?: JWTPayload) => JWTPayload;
  /** Signs an ID token with this provider's key or with another key. */
  readonly sign: (payload: JWTPayload, header?: object, key?: CryptoKey | Uint8Array) => Promise<string>;
  /** Sets the function that creates the ID token of the next response. */
  readonly answerWith: (idToken: () => Promise<string>) => void;
}

export async function startLyingProvider(clientId: string): Promise<LyingProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'only', alg: 'RS256', use: 'sig' };
  let nonce = '';
  let createIdToken = async () => '';
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '', issuer);
    const json = (body: unknown) =>
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    if (url.pathname === '/jwks') return void json({ keys: [jwk] });
    if (url.pathname === '/token')
      return void createIdToken().then((token) =>
        json({ access_token: 'opaque', token_type: 'bearer', id_token: token }),
      );
    if (url.pathname === '/auth') {
      nonce = url.searchParams.get('nonce') ?? '';
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      for (const [name, value] of Object.entries({
        code: 'code',
        state: url.searchParams.get('state') ?? '',
        iss: issuer,
      }))
        back.searchParams.set(name, value);
      return void response.writeHead(302, { location: back.href }).end();
    }
    return void json({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const now = () => Math.floor(Date.now() / 1000);
  return {
    issuer,
    payload: (more = {}) => ({
      iss: issuer,
      sub: 'sub-honest',
      aud: clientId,
      iat: now(),
      exp: now() + 60,
      nonce,
      preferred_username: 'honest',
      ...more,
    }),
    sign: (payload, header = {}, key = privateKey) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'only', ...header }).sign(key),
    answerWith: (idToken) => {
      createIdToken = idToken;
    },
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
    },
  };
}
