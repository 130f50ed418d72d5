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

/** Registers an application. @throws Invalid; Conflict when its client id is taken. */
export async function createClient({ db }: Pick<Scope, 'db'>, fields: ClientFields): Promise<OAuth2Client> {
  requireClient(fields);
  const { clientId, name, redirectURIs, autoGrant, enabled } = fields;
  const secretHash = await secretHashOf(fields.clientSecret);
  const [made] = await db.prisma.oAuth2Client.createManyAndReturn({
    data: [{ clientId, name, secretHash, redirectUris: [...redirectURIs], autoGrant, enabled }],
    skipDuplicates: true,
  });
  if (!made) throw taken(clientId);
  return made;
}

/** Holds a client until the transaction ends, so that two changes come one after the other. @throws NotFound */
async function holdClient({ db }: Pick<Scope, 'db'>, id: number): Promise<OAuth2Client> {
  const query = { name: 'hold-oauth2-client', text: 'SELECT FROM oauth2_client WHERE id = $1 FOR UPDATE' };
  const rows = id > 0 && id < 2 ** 31 ? await db.query(query, [id]) : [];
  const client = rows.length > 0 ? await db.prisma.oAuth2Client.findUnique({ where: { id } }) : null;
  if (!client) throw new NotFound(`there is no OAuth client ${id}`);
  return client;
}

/** Changes the fields given; a secret that is not given stays. @throws NotFound, Invalid, Conflict */
export async function updateClient(
  scope: Pick<Scope, 'db'>,
  id: number,
  change: Partial<ClientFields>,
): Promise<OAuth2Client> {
  const before = await holdClient(scope, id);
  const { clientSecret, ...others } = change;
  const after = { ...before, redirectURIs: before.redirectUris, ...others };
  requireClient({ ...after, clientSecret: clientSecret ?? null });
  const { clientId, name, redirectURIs, autoGrant, enabled } = after;
  const { oAuth2Client } = scope.db.prisma;
  if (clientId !== before.clientId && (await oAuth2Client.findUnique({ where: { clientId } }))) {
    throw taken(clientId);
  }
  const data = { clientId, name, redirectUris: [...redirectURIs], autoGrant, enabled };
  const secret = clientSecret === undefined ? {} : { secretHash: await secretHashOf(clientSecret) };
  await scope.db.announce('principals');
  return oAuth2Client.update({ where: { id }, data: { ...data, ...secret } });
}

/** Removes a client and everything that it was granted. @throws NotFound */
export async function deleteClient({ db }: Pick<Scope, 'db'>, id: number): Promise<number> {
  await holdClient({ db }, id);
  await db.announce('principals');
  await db.prisma.oAuth2Client.delete({ where: { id } });
  return id;
}
