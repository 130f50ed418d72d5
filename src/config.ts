import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { posix, win32 } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const whole = (least: number, most: number) =>
  z.string().transform((text, context) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    context.addIssue(`"${text}" is no whole number from ${least} to ${most}`);
    return z.NEVER;
  });
const positive = whole(1, Number.MAX_SAFE_INTEGER);
const webUrl = z.url({
  protocol: /^https?$/,
  error: 'is no address that begins with http:// or https://',
  abort: true,
});
const repositoryName = z
  .string('is missing')
  .regex(/^[\w.-]{1,64}$/, 'is a word of letters, digits, ".", "_" and "-"');

/** A number of bytes with an optional unit. @param units each 1024 times the one before. */
const bytes = (units: readonly [string, ...string[]], fault: string) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,12} *(${units.join('|')})?$`, 'i'), fault)
    .transform((text) => {
      const unit = text.replace(/[\d ]/g, '').toLowerCase();
      return Number.parseInt(text, 10) * 1024 ** (units.indexOf(unit) + 1);
    });

const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:/.test(text) && URL.canParse(text);
const isAbsolute = (path: string): boolean => posix.isAbsolute(path) || win32.isAbsolute(path);

function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...others] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return others.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

/** The servers that a connection string names. */
export interface DatabaseServers {
  /** A connection string for each host. */
  readonly urls: readonly string[];
  /** Whether the one that takes writes is to be found among them. */
  readonly isWritable: boolean;
}

const target = /([?&])target_session_attrs=(read-write|primary)(?:&|$)/;

/** Reads several hosts, separated by commas, and `target_session_attrs`, as libpq does. */
export function databaseServers(connection: string): DatabaseServers {
  const text = connection.replace(target, '$1').replace(/[?&]$/, '');
  const [, before = '', hosts = '', after = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  return { urls, isWritable: urls.length > 1 || text !== connection };
}

const databaseUrl = z
  .string()
  .refine(
    (text) => databaseServers(text).urls.every((url) => URL.canParse(url)),
    'is no address of PostgreSQL, such as postgres://user:password@host:5432,other/database',
  )
  .refine(
    (text) => !databaseServers(text).urls.some((url) => url.includes('target_session_attrs=')),
    'target_session_attrs is read-write or primary',
  );

/** Where blobs are kept: in `DATA_DIR/blobs`, or in a bucket of a store that has the interface of S3. */
export type BlobAddress = 'folder' | S3Address;

export interface S3Address {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** The rest is taken from the usual variables of AWS where it is absent. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Whether the bucket is in the path, not in the host name. */
  readonly pathStyle: boolean;
  readonly profile?: string | undefined;
}

const s3Url =
  /^s3:\/\/(?<bucket>[a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/(?<prefix>[\w.\-/]*))?(?:\?(?<query>.*))?$/;

const s3Query = z.strictObject({
  endpoint: webUrl.optional(),
  region: z.string().min(1).optional(),
  pathStyle: z.stringbool().default(false),
  profile: z.string().min(1).optional(),
});

function parseS3Url(text: string, context: z.RefinementCtx): S3Address {
  const { bucket, prefix = '', query = '' } = s3Url.exec(text)?.groups ?? {};
  const parsed = s3Query.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (bucket === undefined)
    context.addIssue('is neither "folder" nor s3://BUCKET/PREFIX, of letters, digits, ".", "_" and "-"');
  for (const { path, message } of parsed.error?.issues ?? [])
    context.addIssue(`${path.join('.')} ${message}`);
  if (bucket === undefined || !parsed.success) return z.NEVER;
  return { bucket, prefix: prefix && `${prefix.replace(/\/+$/, '')}/`, ...parsed.data };
}

export const blobAddress = z
  .string()
  .transform((text, context): BlobAddress => (text === 'folder' ? text : parseS3Url(text, context)));

/** The name and the password of the stock administrator. */
export const stockUsername = 'Administrator';
export const stockPassword = 'Administrator';

/** All settings; a test compares them with `.env.example`. */
export const configSchema = z.object({
  /** Port of the server; 0 takes a free one. */
  PORT: whole(0, 65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  /** Prefix of /api/v1 in every address, such as `/nuxeo`. */
  CONTEXT_PATH: z
    .string()
    .regex(/^(\/[\w.~-]+)*$/, 'begins with a slash and does not end with one')
    .default(''),
  /** How clients reach the server, with scheme and host; taken from each request when absent. */
  PUBLIC_URL: webUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** Folder of the embedded database and the blobs. */
  DATA_DIR: z.string().min(1).default('./data'),
  /** Where blobs are kept: `folder` is `DATA_DIR/blobs`, and `s3://BUCKET/PREFIX` in S3 or the like. */
  BLOB_STORE: blobAddress.prefault('folder'),
  /** A second store, from which blobs are read too: while they move from one to the other. */
  BLOB_STORE_ALSO: blobAddress.optional(),
  /** Whether downloads are answered with an address of S3 that is signed for a minute. */
  BLOB_REDIRECT: z.stringbool().default(false),
  /** A PostgreSQL server, or several hosts of which one takes writes; without it the database is embedded. */
  DATABASE_URL: databaseUrl.optional(),
  /** Processes that serve; `auto` is one for each core. One more, which does not serve, starts several. */
  WORKERS: z
    .union(
      [z.literal('auto').transform(() => Math.min(64, availableParallelism())), whole(1, 64)],
      'is neither auto nor a whole number from 1 to 64',
    )
    .prefault('1'),
  /** Replicas of the PostgreSQL server that answer reads. */
  DATABASE_REPLICA_URLS: list
    .pipe(z.array(z.string().refine(isPostgresUrl, 'is no address of PostgreSQL')))
    .prefault(''),
  /** Seconds after SIGTERM in which requests are still taken while `/health/ready` is 503. */
  DRAIN_SECONDS: whole(0, 300).default(0),
  /** Size of the pools of a server, all its workers together; what finds no free connection waits. */
  DATABASE_CONNECTIONS: whole(1, 1000).default(10),
  /** Loopback port of the embedded database; that of the last start when absent, else any free one. */
  EMBEDDED_PORT: whole(1, 65_535).optional(),
  /** The first is the default one. */
  REPOSITORIES: list
    .pipe(z.tuple([repositoryName], repositoryName))
    .refine((names) => new Set(names).size === names.length, 'names a repository twice')
    .prefault('default'),
  /** Folder of contributed content model files (*.json). */
  MODEL_DIR: z.string().min(1).optional(),
  /** User name of the stock administrator, who is created at the first start. */
  ADMIN_USERNAME: z.string().normalize('NFC').trim().min(1).default(stockUsername),
  ADMIN_PASSWORD: z.string().min(1).default(stockPassword),
  /** Authentication methods, in the order in which they are tried. */
  AUTH_CHAIN: list
    .pipe(z.array(z.enum(['basic', 'token', 'oauth2', 'jwt'])).min(1))
    .refine((names) => new Set(names).size === names.length, 'names a method twice')
    .prefault('basic,token,oauth2,jwt'),
  /** Failed log-ins per minute of one account from one address; an address may fail ten times as often. */
  LOGIN_FAILURES: positive.default(10),
  /** Signs JWTs; none is accepted when absent. */
  JWT_SECRET: z.string().min(1).optional(),
  /** Derives login tokens and encrypts OAuth tokens; generated once in DATA_DIR when absent. */
  TOKEN_KEY: z.string().min(16, 'is shorter than 16 characters').optional(),
  /** Number of proxies in front of the server whose X-Forwarded-For, -Proto and -Host are trusted. */
  TRUST_PROXY: whole(0, 100).default(0),
  /** The version that the server reports; clients choose their behaviour by it. */
  PRODUCT_VERSION: z
    .string()
    .regex(/^\d+\.\d+/, 'must begin with two numbers, like 2023.5: clients cannot read others')
    .default('2023.5'),
  /** Whose form an answer has where the contract and the reference implementation contradict each other. */
  COMPATIBILITY: z.enum(['contract', 'reference']).default('contract'),
  /** Seconds that a transaction may last when the request sets no timeout. */
  TRANSACTION_TIMEOUT: whole(1, 86_400).default(300),
  /** Days after which log entries are deleted; never when absent. */
  AUDIT_DAYS: whole(1, 36_500).optional(),
  /** Largest JSON body: bytes, or with kb or mb. */
  BODY_LIMIT: bytes(['kb', 'mb'], 'is a number of bytes, kb or mb').prefault('10mb'),
  /** Largest number of JSON values in a body, and of items in a text that stands for a list or lines. */
  JSON_VALUES_LIMIT: whole(100, 10_000_000).default(100_000),
  /** Largest body that carries blobs: bytes, or with kb, mb or gb. */
  UPLOAD_LIMIT: bytes(['kb', 'mb', 'gb'], 'is a number of bytes, kb, mb or gb').prefault('1gb'),
  /** Most bytes of all upload batches of one user: bytes, or with kb, mb or gb. */
  UPLOAD_QUOTA: bytes(['kb', 'mb', 'gb'], 'is a number of bytes, kb, mb or gb').prefault('10gb'),
  /** Longest JSON answer: bytes, or with kb or mb. Files, CSV and exports are not limited. */
  ANSWER_LIMIT: bytes(['kb', 'mb'], 'is a number of bytes, kb or mb').prefault('16mb'),
  /** Memory of a process for rows of requests: bytes, or with kb, mb or gb; an eighth of Node's heap limit. */
  MEMORY_BUDGET: bytes(['kb', 'mb', 'gb'], 'is a number of bytes, kb, mb or gb').optional(),
  /** Hits up to which a search counts them all, and its aggregates too. */
  SEARCH_COUNT_LIMIT: whole(1, 1_000_000).default(10_000),
  /** Whose stems words are searched by, such as `english`; as they are when absent. */
  SEARCH_LANGUAGE: z.string().optional(),
  /** Folders in which programs that convert files are looked for, such as LibreOffice; `none` for none. */
  CONVERTER_FOLDERS: list
    .transform((folders) => folders.filter((folder) => folder !== 'none'))
    .pipe(z.array(z.string().refine(isAbsolute, 'is no absolute path')))
    .prefault('/usr/local/bin,/usr/bin,/opt/homebrew/bin,/Applications/LibreOffice.app/Contents/MacOS'),
  /** Languages in which tesseract reads texts in pictures for searches, such as `eng,deu`; absent: none. */
  OCR_LANGUAGES: list
    .pipe(z.array(z.string().regex(/^[\w/-]{1,40}$/, 'is no name of a language')))
    .prefault(''),
  /** The server that mails are sent through; without it they are kept for administrators to read. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'does not begin with smtp:// or smtps://' }).optional(),
  MAIL_FROM: z.email().default('quire@localhost.localdomain'),
  /** Most recipients that the mails of one user may have within an hour. */
  MAIL_LIMIT: positive.default(100),
  /** Beginnings of addresses that files may be fetched from (`Blob.CreateFromURL`), comma-separated. */
  BLOB_URLS: list.pipe(z.array(webUrl.transform((url) => new URL(url).href))).prefault(''),
  /** Addresses and networks, such as `10.0.0.0/8`, that may be called although they are not public. */
  WEBHOOK_PRIVATE_ADDRESSES: list
    .pipe(z.array(z.string().refine(isNetwork, 'is neither an address nor a network')))
    .prefault(''),
  /** Origins whose pages may call the server, such as `https://app.example.org`, comma-separated. */
  CORS_ORIGINS: list
    .pipe(z.array(webUrl.refine((url) => new URL(url).origin === url, 'is not an origin')))
    .prefault(''),
  /** Whether /graphql serves GraphiQL and introspection; off in production unless set. */
  GRAPHIQL: z.stringbool().optional(),
  /** A collector of OpenTelemetry: spans of requests and statements go to its /v1/traces; none when unset. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_SERVICE_NAME: z.string().default('quire'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** `production` requires an ADMIN_PASSWORD of its own; `development` adds stack traces to answers. */
  NODE_ENV: z.string().default(''),
});

export type Config = z.infer<typeof configSchema> & { readonly GRAPHIQL: boolean };

/** How much of what is bounded for all processes one of them may use: one at least. */
export const shareOf = (whole: number, { WORKERS }: Pick<Config, 'WORKERS'>): number =>
  Math.max(1, Math.floor(whole / WORKERS));

/** Bytes of MEMORY_BUDGET: rows take several times as much while they are objects and become an answer. */
export const memoryBudgetOf = ({ MEMORY_BUDGET }: Pick<Config, 'MEMORY_BUDGET'>): number =>
  MEMORY_BUDGET ?? Math.floor(getHeapStatistics().heap_size_limit / 8);

/** What may be fetched from other servers. */
export const downloadsOf = (config: Config) => ({
  urls: config.BLOB_URLS,
  networks: config.WEBHOOK_PRIVATE_ADDRESSES,
  limit: config.UPLOAD_LIMIT,
});

/** @param host without a port. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'));

const isUrlLoopback = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url).hostname);

type Reach = Pick<Config, 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY'>;

/** Whether only this computer reaches the server, and by its own names. */
export const isLocal = ({ HOST, PUBLIC_URL, TRUST_PROXY }: Reach): boolean =>
  isLoopback(HOST) && TRUST_PROXY === 0 && (PUBLIC_URL === undefined || isUrlLoopback(PUBLIC_URL));

/** Where a password that is known to everyone would open the server to others. */
export const isExposed = ({ NODE_ENV, ...reach }: Reach & Pick<Config, 'NODE_ENV'>): boolean =>
  NODE_ENV === 'production' || !isLocal(reach);

/** Invalid settings; the message has a line for each fault. */
export class ConfigError extends Error {}

const exposureFault =
  'ADMIN_PASSWORD: must be set to something else in production, or when HOST or PUBLIC_URL is not loopback, or with TRUST_PROXY';

/** Reads the settings from the environment; an empty variable counts as absent. @throws ConfigError */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given: NodeJS.ProcessEnv = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== ''),
  );
  const parsed = configSchema.safeParse(given);
  const issues = parsed.error?.issues ?? [];
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const faulty = new Set(issues.map(({ path }) => path[0]));
  const sound = Object.fromEntries(Object.entries(given).filter(([name]) => !faulty.has(name)));
  const { NODE_ENV = '', HOST = '127.0.0.1', PUBLIC_URL, TRUST_PROXY = 0 } = sound;
  const exposed = isExposed({ NODE_ENV, HOST, PUBLIC_URL, TRUST_PROXY: Number(TRUST_PROXY) });
  if (exposed && (given.ADMIN_PASSWORD ?? stockPassword) === stockPassword) faults.push(exposureFault);
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults.join('\n'));
  return { ...parsed.data, GRAPHIQL: parsed.data.GRAPHIQL ?? parsed.data.NODE_ENV !== 'production' };
}
