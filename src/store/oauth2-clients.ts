import type { Query } from '../db/database.ts';
import { Conflict, Invalid, NotFound } from '../errors.ts';
import type { OAuth2Client } from '../generated/prisma/client.ts';
import { requireStorable } from '../model/storable.ts';
import type { Scope } from '../scope.ts';
import { hashPassword } from './passwords.ts';

/** What an application is registered with (§5). */
export interface ClientFields {
  readonly clientId: string;
  readonly name: string;
  /** None for an application that cannot keep one. */
  readonly clientSecret: string | null;
  readonly redirectURIs: readonly string[];
  readonly autoGrant: boolean;
  readonly enabled: boolean;
}

/** An index entry holds no more than about 2,700 bytes. */
const longest = 255;

/** What has no host of its own, and would run or show in the place of the page that asks. */
const dangerous = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @throws Invalid for an address to which no code may be sent. */
function requireRedirect(uri: string): void {
  const fault = (what: string): never => {
    throw new Invalid(`redirectURIs: ${uri} ${what}`);
  };
  if (!URL.canParse(uri) || /[\s,\\]/.test(uri)) fault('is no absolute address');
  const { protocol, hostname } = new URL(uri);
  if (uri.includes('#')) fault('has a fragment');
  if (dangerous.has(protocol)) fault(`begins with ${protocol}`);
  if (protocol === 'http:' && !loopback.test(hostname)) fault('is not https, nor of this computer');
}

/** @throws Invalid naming the first fault. */
function requireClient({ clientId, name, clientSecret, redirectURIs }: ClientFields): void {
  requireStorable({ clientId, name, clientSecret, redirectURIs });
  if (!/^[\x20-\x7e]+$/.test(clientId))
    throw new Invalid('clientId: is empty, or holds other than ASCII letters');
  if (clientId.length > longest) throw new Invalid(`clientId: is longer than ${longest} letters`);
  if (clientSecret !== null && !/^[\x20-\x7e]+$/.test(clientSecret)) {
    throw new Invalid('clientSecret: is empty, or holds other than ASCII letters');
  }
  for (const uri of redirectURIs) requireRedirect(uri);
}

const secretHashOf = async (secret: string | null): Promise<string | null> =>
  secret === null ? null : hashPassword(secret);

const taken = (clientId: string) => new Conflict(`clientId: ${clientId} is taken`);

/** The first of these names that comes again. */
const repeated = (names: readonly string[]): string | undefined =>
  names.find((name, index) => names.indexOf(name) < index);

/** Registers applications, all or none. @throws Invalid; Conflict when a client id is taken. */
export async function createClients(
  { db }: Pick<Scope, 'db'>,
  clients: readonly ClientFields[],
): Promise<OAuth2Client[]> {
  for (const fields of clients) requireClient(fields);
  const data = await Promise.all(
    clients.map(async ({ clientSecret, redirectURIs, ...fields }) => ({
      ...fields,
      secretHash: await secretHashOf(clientSecret),
      redirectUris: [...redirectURIs],
    })),
  );
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

const holdQuery: Query = {
  name: 'hold-oauth2-clients',
  text: 'SELECT FROM oauth2_client WHERE id = ANY($1::int[]) ORDER BY id FOR UPDATE',
};

/** Holds clients until the transaction ends, so that two changes come one after the other. @throws NotFound */
async function holdClients({ db }: Pick<Scope, 'db'>, ids: readonly number[]): Promise<OAuth2Client[]> {
  const possible = ids.filter((id) => id > 0 && id < 2 ** 31);
  await db.query(holdQuery, [possible]);
  const rows = await db.prisma.oAuth2Client.findMany({ where: { id: { in: possible } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const client = byId.get(id);
    if (!client) throw new NotFound(`there is no OAuth client ${id}`);
    return client;
  });
}

/** A client with other fields; a secret that is not given stays. @throws Invalid */
async function changed(before: OAuth2Client, change: Partial<ClientFields>): Promise<OAuth2Client> {
  const { clientSecret, ...others } = change;
  const { redirectURIs, ...after } = { ...before, redirectURIs: before.redirectUris, ...others };
  requireClient({ ...after, redirectURIs, clientSecret: clientSecret ?? null });
  const secretHash = clientSecret === undefined ? before.secretHash : await secretHashOf(clientSecret);
  return { ...after, redirectUris: [...redirectURIs], secretHash };
}

const updateQuery: Query = {
  name: 'update-oauth2-clients',
  text: `
    UPDATE oauth2_client c SET client_id = n."clientId", name = n.name, secret_hash = n."secretHash",
      redirect_uris = n."redirectUris", auto_grant = n."autoGrant", enabled = n.enabled
    FROM jsonb_to_recordset($1::jsonb) AS n (
      id int, "clientId" text, name text, "secretHash" text, "redirectUris" text[], "autoGrant" boolean, enabled boolean
    ) WHERE c.id = n.id`,
};

/**
 * Changes the fields given of clients, each of which is named once; a secret that is not given stays.
 * @throws NotFound, Invalid; Conflict when a client id is taken.
 */
export async function updateClients(
  { db }: Pick<Scope, 'db'>,
  changes: ReadonlyArray<{ id: number; change: Partial<ClientFields> }>,
): Promise<OAuth2Client[]> {
  const held = await holdClients(
    { db },
    changes.map(({ id }) => id),
  );
  const rows = await Promise.all(held.map((before, index) => changed(before, changes[index]?.change ?? {})));
  const names = rows.map(({ clientId }) => clientId);
  const renamed = names.filter((name, index) => name !== held[index]?.clientId);
  const where = { clientId: { in: renamed } };
  const other = renamed.length > 0 ? await db.prisma.oAuth2Client.findFirst({ where }) : null;
  const inUse = other?.clientId ?? repeated(names);
  if (inUse !== undefined) throw taken(inUse);
  await db.announce('principals');
  await db.query(updateQuery, [JSON.stringify(rows)]);
  return rows;
}

/** Removes clients and everything that they were granted. @throws NotFound */
export async function deleteClients({ db }: Pick<Scope, 'db'>, ids: readonly number[]): Promise<void> {
  await holdClients({ db }, ids);
  await db.announce('principals');
  await db.prisma.oAuth2Client.deleteMany({ where: { id: { in: [...ids] } } });
}
