import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { Client } from 'ldapts';
import { newFolder } from './folder.ts';
import { until } from './until.ts';
import { use } from './use.ts';

const program = '/usr/sbin/slapd';
const isInstalled = existsSync(program);
if (!isInstalled) process.stdout.write('slapd was not found, so directories are not tested.\n');

/** `describe`, which skips its tests if slapd is not installed. */
export const describeDirectory = isInstalled ? describe : describe.skip;

export const suffix = 'dc=example,dc=org';
export const people: string = `ou=people,${suffix}`;
export const groupsBase: string = `ou=groups,${suffix}`;

/** The password of all users in the directory. */
export const directoryPassword = 'directory password';

const admin = { dn: `cn=admin,${suffix}`, password: 'admin' };
const service = { dn: `cn=quire,${suffix}`, password: 'service password' };
/** An account whose searches return at most two entries. */
const limited = { dn: `cn=limited,${suffix}`, password: 'limited password' };

const openssl = (folder: string, ...args: string[]): void =>
  void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

/** Creates a certificate authority and a certificate for `localhost` that it signs. */
function createAuthority(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    folder,
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test authority',
  );
  openssl(folder, 'req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  openssl(folder, 'x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.pem');
}

/** The attributes of Active Directory that the tests need and other directories do not have. */
const activeDirectorySchema = `
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.782 NAME 'objectCategory' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP top AUXILIARY MAY ( sAMAccountName $ objectGUID $ objectCategory $ userAccountControl ) )
`;

const configuration = (folder: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
include ${folder}/active-directory.schema
pidfile ${folder}/pid
argsfile ${folder}/args
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/server.pem
TLSCertificateKeyFile ${folder}/server.key
database mdb
suffix "${suffix}"
rootdn "${admin.dn}"
rootpw ${admin.password}
directory ${folder}/data
index objectClass,uid,entryUUID,member eq
limits dn.exact="${limited.dn}" size.soft=2 size.hard=2 size.prtotal=2
limits dn.exact="${service.dn}" size=unlimited
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${service.dn}" read by dn.exact="${limited.dn}" read by * none
overlay memberof
memberof-group-oc groupOfNames
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Attributes = Record<string, string | string[]>;

/** A real LDAP server, which listens on free ports of this computer. */
export interface TestDirectory extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly secureUrl: string;
  /** The path of the file with the certificate of the authority that signed the server's certificate. */
  readonly ca: string;
  /** Returns the server's log lines for the requests that it has received, one line for each request. */
  readonly requests: () => string[];
  /** Returns the number of bind requests with the given distinguished name. */
  readonly binds: (dn: string) => number;
  readonly add: (dn: string, attributes: Attributes) => Promise<void>;
  readonly remove: (dn: string) => Promise<void>;
  readonly replace: (dn: string, attributes: Attributes) => Promise<void>;
  /** Adds a person. @returns the person's distinguished name */
  readonly person: (uid: string, more?: Attributes) => Promise<string>;
  /** Adds a group. @returns the group's distinguished name */
  readonly group: (cn: string, members: readonly string[]) => Promise<string>;
  /** Returns the entry for this directory in IDENTITY_FILE. */
  readonly settings: (more?: object) => Record<string, unknown>;
  /** Returns the same entry as `settings`, but with an account whose searches return at most two entries. */
  readonly limitedSettings: (more?: object) => Record<string, unknown>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const rdnValue = (value: string): string => value.replace(/[\\,+"<>;=#]/g, (character) => `\\${character}`);

/** Starts an LDAP server for the entries below `suffix`, with two accounts that can search them. */
export async function startDirectory(): Promise<TestDirectory> {
  const folder = newFolder();
  createAuthority(folder);
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'active-directory.schema'), activeDirectorySchema);
  writeFileSync(join(folder, 'slapd.conf'), configuration(folder));
  const [port, securePort] = [await freePort(), await freePort()];
  const [url, secureUrl] = [`ldap://localhost:${port}`, `ldaps://localhost:${securePort}`];
  let child: ChildProcess | undefined;
  let printed = '';

  const asAdmin = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ url: `ldap://127.0.0.1:${port}`, timeout: 5_000, connectTimeout: 5_000 });
    try {
      await client.bind(admin.dn, admin.password);
      return await work(client);
    } finally {
      await client.unbind();
    }
  };
  const start = async (): Promise<void> => {
    const listeners = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${securePort}/`;
    // With `-d stats`, slapd runs in the foreground and prints one line for each request.
    child = spawn(program, ['-d', 'stats', '-h', listeners, '-f', join(folder, 'slapd.conf')], {
      stdio: 'pipe',
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    const isUp = () => asAdmin(async () => true).catch(() => false);
    await until(isUp, 20_000).catch(() => {
      throw new Error(`slapd did not start:\n${printed}`);
    });
  };
  const stop = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    await ended;
  };

  await start();
  const add: TestDirectory['add'] = (dn, attributes) => asAdmin((client) => client.add(dn, attributes));
  const account = (name: string, userPassword: string): Attributes => ({
    objectClass: ['organizationalRole', 'simpleSecurityObject'],
    cn: name,
    userPassword,
  });
  await add(suffix, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' });
  for (const dn of [people, groupsBase])
    await add(dn, { objectClass: 'organizationalUnit', ou: /^ou=([^,]*)/.exec(dn)?.[1] ?? '' });
  await add(service.dn, account('quire', service.password));
  await add(limited.dn, account('limited', limited.password));

  writeFileSync(join(folder, 'service-password'), `${service.password}\n`);
  writeFileSync(join(folder, 'limited-password'), `${limited.password}\n`);
  const settings: TestDirectory['settings'] = (more = {}) => ({
    kind: 'ldap',
    label: 'Example directory',
    servers: [url],
    bindDn: service.dn,
    bindPassword: { file: join(folder, 'service-password') },
    base: people,
    ...more,
  });
  const requests = () => printed.split('\n').filter((line) => / (BIND|SRCH|EXT|STARTTLS) /.test(line));

  return {
    port,
    url,
    secureUrl,
    ca: join(folder, 'ca.pem'),
    requests,
    binds: (dn) => requests().filter((line) => line.includes(`BIND dn="${dn}" method`)).length,
    add,
    remove: (dn) => asAdmin((client) => client.del(dn)),
    replace: async (dn, attributes) => {
      const { Attribute, Change } = await import('ldapts');
      const changes = Object.entries(attributes).map(
        ([type, values]) =>
          new Change({
            operation: 'replace',
            modification: new Attribute({ type, values: [values].flat() }),
          }),
      );
      await asAdmin((client) => client.modify(dn, changes));
    },
    person: async (uid, more = {}) => {
      const dn = `uid=${rdnValue(uid)},${people}`;
      await add(dn, {
        objectClass: 'inetOrgPerson',
        uid,
        cn: uid,
        sn: uid,
        givenName: 'Given',
        mail: `${uid.replace(/[^\w.-]/g, '')}@example.org`,
        userPassword: directoryPassword,
        ...more,
      });
      return dn;
    },
    group: async (cn, member) => {
      const dn = `cn=${rdnValue(cn)},${groupsBase}`;
      await add(dn, { objectClass: 'groupOfNames', cn, member: [...member] });
      return dn;
    },
    settings,
    limitedSettings: (more = {}) =>
      settings({
        bindDn: limited.dn,
        bindPassword: { file: join(folder, 'limited-password') },
        ...more,
      }),
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Starts one LDAP server for all tests of a file or a `describe`. */
export const useDirectory = (): TestDirectory => use(startDirectory);

/** Writes an identity file. @returns the server settings that refer to it */
export function directorySettings(providers: Record<string, unknown>): Record<string, string> {
  const path = join(newFolder(), 'identity.json');
  writeFileSync(path, JSON.stringify({ providers }));
  return { IDENTITY_FILE: path };
}

/**
 * A TCP proxy in front of an LDAP server. It counts connections, and can simulate a server that does not respond or
 * cannot be reached.
 */
export interface TestGate extends AsyncDisposable {
  readonly url: string;
  /** In the state `silent`, the proxy accepts connections but forwards nothing. */
  state: 'open' | 'silent' | 'closed';
  /** The number of chunks received from a client after which its connection is closed. */
  cutAfter: number;
  readonly connections: () => number;
  /** Returns all data that clients have sent in the state `open`. */
  readonly received: () => string;
}

export async function startGate(port: number): Promise<TestGate> {
  let count = 0;
  const sockets = new Set<Socket>();
  let received = '';
  const gate: Pick<TestGate, 'cutAfter' | 'state'> = { state: 'open', cutAfter: Number.POSITIVE_INFINITY };
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (gate.state === 'closed') return void socket.destroy();
    if (gate.state === 'silent') return void socket.resume();
    const target = connect(port, '127.0.0.1');
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
    let pieces = 0;
    socket.on('data', (piece) => {
      received += piece.toString('latin1');
      pieces += 1;
      if (pieces >= gate.cutAfter) socket.destroy();
    });
    return void socket.pipe(target).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return Object.assign(gate, {
    url: `ldap://localhost:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
}
