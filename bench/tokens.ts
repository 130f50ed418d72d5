import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { signJwt } from '../src/auth/jwt.ts';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, readIds, requests } from './mixes.ts';
import { readFor } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import type { Running } from './processes.ts';
import { seedOurs } from './seed.ts';
import { median } from './table.ts';

/** Compares reads authenticated by an identity provider's access token, by one of Quire's JWTs, and by HTTP Basic. */

const [rounds, seconds, readers] = [5, 3, 16];

const reader = { username: 'reader', password: 'a password of the reader' };
const [subject, audience] = ['the reader', 'urn:quire'];
const secret = 'a secret of at least thirty-two bytes';

const hour = 3_600;

/** Starts an OpenID Connect provider. @returns its issuer URL, and an access token for the user `reader` */
async function startProvider(): Promise<{ readonly issuer: string; readonly token: string }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const http = createServer();
  await once(http.listen(0, '127.0.0.1'), 'listening');
  atEnd(async () => {
    http.closeAllConnections();
    http.close();
  });
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`;
  const jwks = { keys: [{ ...(await exportJWK(privateKey)), kid: 'key', alg: 'RS256', use: 'sig' }] };
  const answer = new Provider(issuer, { jwks, cookies: { keys: ['key'] } }).callback();
  http.on('request', (request, response) => void answer(request, response));
  const token = await new SignJWT({ client_id: 'app', scope: 'read', jti: 'token' })
    .setProtectedHeader({ alg: 'RS256', kid: 'key', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  return { issuer, token };
}

/** Creates the user `reader` and links the user's identity at the provider. */
async function createReader(url: string): Promise<void> {
  const query = `mutation ($properties: JSON!, $subject: String!) {
    createUser(user: {properties: $properties}) { id }
    linkIdentity(username: "reader", provider: "bench", subject: $subject) { id } }`;
  const variables = { properties: { ...reader, groups: ['administrators'] }, subject };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
}

const read = (server: Running, ids: Ids, credentials: string) =>
  readFor(server, {
    authorization: credentials,
    seconds,
    connections: readers,
    next: requests('reads', ids),
  });

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { issuer, token } = await startProvider();
  const file = join(folder, 'identity.json');
  const provider = { kind: 'oidc', issuer, clientId: 'quire', accessTokens: { audience } };
  await writeFile(file, JSON.stringify({ providers: { bench: provider } }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const server = await startOurs({
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    AUTH_CHAIN: 'basic,token,oauth2,jwt,oidc',
    IDENTITY_FILE: file,
    JWT_SECRET: secret,
  });
  console.error('creating 20,400 documents');
  await seedOurs(databaseUrl);
  const ids = await readIds(server.url);
  await createReader(server.url);
  const own = await signJwt(Buffer.from(secret), { username: reader.username, seconds: hour });
  const basic = `Basic ${Buffer.from(`${reader.username}:${reader.password}`).toString('base64')}`;
  const others = { "a provider's token": `Bearer ${token}`, 'a JWT of Quire': `Bearer ${own}` };
  for (const credentials of [basic, ...Object.values(others)]) await read(server, ids, credentials);
  const ratios = new Map(
    Object.keys(others).map((name) => [name, { goodput: [] as number[], cpu: [] as number[] }]),
  );
  for (let round = 0; round < rounds; round += 1) {
    const first = await read(server, ids, basic);
    for (const [name, credentials] of Object.entries(others)) {
      const { goodput, cpu } = await read(server, ids, credentials);
      ratios.get(name)?.goodput.push(goodput / first.goodput);
      ratios.get(name)?.cpu.push(cpu / first.cpu);
    }
  }
  const range = (values: readonly number[]) =>
    `${median(values).toFixed(3)} (${Math.min(...values).toFixed(3)}–${Math.max(...values).toFixed(3)})`;
  for (const [name, { goodput, cpu }] of ratios)
    console.log(
      `GET by id with ${name}, compared with Basic: rate ${range(goodput)}, CPU time ${range(cpu)}`,
    );
}

await toTheEnd(main);
