import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid, NotFound } from '../../errors.ts';
import type { OAuth2Client } from '../../generated/prisma/client.ts';
import { requireShortName } from '../../model/names.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { hashPassword } from '../authorities/passwords.ts';
import { inIdOrder } from '../row-locks/lock-order.ts';

/** The fields of an OAuth 2.0 client (§5). */
export interface OAuth2ClientFields {
  readonly clientId: string;
  readonly name: string;
  /** Null for public clients, which cannot keep a secret. */
  readonly clientSecret: string | null;
  readonly redirectURIs: readonly string[];
  readonly autoGrant: boolean;
  readonly enabled: boolean;
}

/**
 * The maximum number of characters in a client id. It is limited because an index entry can have at most about 2,700
 * bytes.
 */
const maxClientId = 255;

/** The maximum number of characters in a redirect URI. Parsing a longer host name could take seconds. */
export const maxRedirect = 2_000;

/** URI schemes that would run or show content in the origin of the log-in page. */
const dangerous = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

/** Matches the host names of URLs that point to the computer on which they are opened. */
export const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @throws Invalid for an unsafe redirect URI */
function requireRedirect(uri: string): void {
  const fault = (what: string): never => {
    throw new Invalid(`redirectURIs: ${uri} ${what}`);
  };
  if (uri.length > maxRedirect)
    throw new Invalid(`redirectURIs: a URI must not be longer than ${maxRedirect} characters`);
  if (!URL.canParse(uri) || /[\s,\\]/.test(uri)) fault('is not an absolute URL');
  const { protocol, hostname } = new URL(uri);
  if (uri.includes('#')) fault('must not have a fragment');
  if (dangerous.has(protocol)) fault(`must not begin with ${protocol}`);
  if (protocol === 'http:' && !loopbackHost.test(hostname))
    fault('must begin with https:, or with http: and a loopback address');
}

/**
 * Checks the fields of a client.
 * @throws Invalid
 */
function requireClient({ clientId, name, clientSecret, redirectURIs }: OAuth2ClientFields): void {
  requireStorable({ clientId, name, clientSecret, redirectURIs });
  if (!/^[\x20-\x7e]+$/.test(clientId))
    throw new Invalid('clientId must consist of printable ASCII characters');
  requireShortName('name', name);
  if (clientId.length > maxClientId)
    throw new Invalid(`clientId must not be longer than ${maxClientId} characters`);
  if (clientSecret !== null && !/^[\x20-\x7e]+$/.test(clientSecret)) {
    throw new Invalid('clientSecret must consist of printable ASCII characters');
  }
  for (const uri of redirectURIs) requireRedirect(uri);
}

/** The hashes of client secrets. No connection or lock is held while they are computed. */
async function secretHashesOf(
  { outside }: Pick<Client, 'outside'>,
  secrets: ReadonlyArray<string | null>,
): Promise<ReadonlyArray<string | null>> {
  if (secrets.every((secret) => secret === null)) return secrets;
  return outside(`hash ${JSON.stringify(secrets)}`, () =>
    Promise.all(secrets.map(async (secret) => secret && hashPassword(secret))),
  );
}

const taken = (clientId: string) => new Conflict(`clientId: ${clientId} is taken. Choose another one.`);

/** Returns the first name that occurs more than once. */
function repeated(names: readonly string[]): string | undefined {
  const known = new Set<string>();
  return names.find((name) => known.size === known.add(name).size);
}

/**
 * Creates either all of the clients or none.
 * @throws Invalid; Conflict if a client id is taken
 */
export async function createOAuth2Clients(
  { db }: Pick<Scope, 'db'>,
  clients: readonly OAuth2ClientFields[],
): Promise<OAuth2Client[]> {
  for (const fields of clients) requireClient(fields);
  const hashes = await secretHashesOf(
    db,
    clients.map(({ clientSecret }) => clientSecret),
  );
  const data = clients.map(({ clientSecret: _, redirectURIs, ...fields }, index) => ({
    ...fields,
    secretHash: hashes[index] ?? null,
    redirectUris: [...redirectURIs],
  }));
  const made = await db.prisma.oAuth2Client.createManyAndReturn({ data, skipDuplicates: true });
  const byName = new Map(made.map((row) => [row.clientId, row]));
  const names = clients.map(({ clientId }) => clientId);
  const again = repeated(names);
  if (again !== undefined) throw taken(again);
  return names.map((name) => {
    const row = byName.get(name);
    if (!row) throw taken(name);
    return row;
  });
}

const lockQuery = statement('lock-oauth2-clients')`
  SELECT FROM oauth2_client WHERE id = ANY($1::int[]) ${inIdOrder('UPDATE')}`;

/** Locks and reads clients. @throws NotFound */
async function lockClients({ db }: Pick<Scope, 'db'>, ids: readonly number[]): Promise<OAuth2Client[]> {
  const possible = ids.filter((id) => id > 0 && id < 2 ** 31);
  await db.query(lockQuery, [possible]);
  const rows = await db.prisma.oAuth2Client.findMany({ where: { id: { in: possible } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const client = byId.get(id);
    if (!client) throw new NotFound(`There is no OAuth client ${id}.`);
    return client;
  });
}

/**
 * Applies a change to a client.
 * @param newHash the hash of the secret in the change, if there is one
 * @throws Invalid
 */
function changed(
  before: OAuth2Client,
  { clientSecret, ...others }: Partial<OAuth2ClientFields>,
  newHash: string | null,
): OAuth2Client {
  const { redirectURIs, ...after } = { ...before, redirectURIs: before.redirectUris, ...others };
  requireClient({ ...after, redirectURIs, clientSecret: clientSecret ?? null });
  const secretHash = clientSecret === undefined ? before.secretHash : newHash;
  return { ...after, redirectUris: [...redirectURIs], secretHash };
}

const updateQuery = statement('update-oauth2-clients')`
  UPDATE oauth2_client c SET client_id = n."clientId", name = n.name, secret_hash = n."secretHash",
    redirect_uris = n."redirectUris", auto_grant = n."autoGrant", enabled = n.enabled
  FROM jsonb_to_recordset($1::jsonb) AS n (
    id int, "clientId" text, name text, "secretHash" text, "redirectUris" text[], "autoGrant" boolean, enabled boolean
  ) WHERE c.id = n.id`;

/**
 * Changes clients. Absent fields remain unchanged, including the secret.
 * @throws NotFound, Invalid; Conflict if a client id is taken
 */
export async function updateOAuth2Clients(
  { db }: Pick<Scope, 'db'>,
  changes: ReadonlyArray<{ id: number; change: Partial<OAuth2ClientFields> }>,
): Promise<OAuth2Client[]> {
  const locked = await lockClients(
    { db },
    changes.map(({ id }) => id),
  );
  const hashes = await secretHashesOf(
    db,
    changes.map(({ change }) => change.clientSecret ?? null),
  );
  const rows = locked.map((before, index) =>
    changed(before, changes[index]?.change ?? {}, hashes[index] ?? null),
  );
  const names = rows.map(({ clientId }) => clientId);
  const renamed = names.filter((name, index) => name !== locked[index]?.clientId);
  const where = { clientId: { in: renamed } };
  const other = renamed.length > 0 ? await db.prisma.oAuth2Client.findFirst({ where }) : null;
  const inUse = other?.clientId ?? repeated(names);
  if (inUse !== undefined) throw taken(inUse);
  await db.announce('principals');
  await db.query(updateQuery, [JSON.stringify(rows)]);
  return rows;
}

/**
 * Deletes clients along with their tokens and codes.
 * @throws NotFound
 */
export async function deleteOAuth2Clients({ db }: Pick<Scope, 'db'>, ids: readonly number[]): Promise<void> {
  await lockClients({ db }, ids);
  await db.announce('principals');
  await db.prisma.oAuth2Client.deleteMany({ where: { id: { in: [...ids] } } });
}
