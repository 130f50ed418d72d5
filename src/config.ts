import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { posix, win32 } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { namedFault } from './errors.ts';

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const integer = (min: number, max: number) =>
  z.string().transform((text, context) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    context.addIssue(`"${text}" is not an integer from ${min} to ${max}`);
    return z.NEVER;
  });
const positive = integer(1, Number.MAX_SAFE_INTEGER);
const webUrl = z.url({
  protocol: /^https?$/,
  error: 'is not a URL that begins with http:// or https://',
  abort: true,
});
const repositoryName = z
  .string('is missing')
  .regex(/^[\w.-]{1,64}$/, 'must consist of letters, digits, ".", "_" and "-"');

/** A number of bytes with an optional unit. @param units the units, each 1024 times the previous one. */
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
  const maxBits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return others.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits;
}

/** The servers in a connection string. */
export interface DatabaseServers {
  /** One connection string for each host. */
  readonly urls: readonly string[];
  /** Whether the server that accepts writes has to be found among them. */
  readonly isWritable: boolean;
}

const target = /([?&])target_session_attrs=(read-write|primary)(?:&|$)/;

/** Parses comma-separated hosts and `target_session_attrs`, as libpq does. */
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
    'is not a PostgreSQL URL, such as postgres://user:password@host:5432,other/database',
  )
  .refine(
    (text) => !databaseServers(text).urls.some((url) => url.includes('target_session_attrs=')),
    'target_session_attrs must be read-write or primary',
  );

/** The location of the blob store: `DATA_DIR/blobs`, or a bucket of S3 or a compatible service. */
export type BlobAddress = 'folder' | S3Address;

export interface S3Address {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Absent members are taken from the usual environment variables of AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Whether the bucket is part of the path instead of the host name. */
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
    context.addIssue('must be "folder" or s3://BUCKET/PREFIX, with letters, digits, ".", "_" and "-"');
  for (const { path, message } of parsed.error?.issues ?? [])
    context.addIssue(`${path.join('.')} ${message}`);
  if (bucket === undefined || !parsed.success) return z.NEVER;
  return { bucket, prefix: prefix && `${prefix.replace(/\/+$/, '')}/`, ...parsed.data };
}

export const blobAddress = z
  .string()
  .transform((text, context): BlobAddress => (text === 'folder' ? text : parseS3Url(text, context)));

/** The default name and password of the administrator. */
export const stockUsername = 'Administrator';
export const stockPassword = 'Administrator';

/** All settings. A test compares them with `.env.example`. */
export const configSchema = z.object({
  /** The port of the server; 0 chooses a free one. */
  PORT: integer(0, 65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  /** The prefix of /api/v1 in all URLs, such as `/nuxeo`. */
  CONTEXT_PATH: z
    .string()
    .regex(/^(\/[\w.~-]+)*$/, 'must begin with a slash and not end with one')
    .default(''),
  /** The scheme and host by which clients reach the server; by default those of each request. */
  PUBLIC_URL: webUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** The folder of the embedded database and the blobs. */
  DATA_DIR: z.string().min(1).default('./data'),
  /** The blob store: `folder` for `DATA_DIR/blobs`, or `s3://BUCKET/PREFIX` for S3 or a compatible service. */
  BLOB_STORE: blobAddress.prefault('folder'),
  /** A second blob store from which blobs are also read, while they are moved from one store to the other. */
  BLOB_STORE_ALSO: blobAddress.optional(),
  /** Whether downloads are redirected to a URL of S3 that is signed for a minute. */
  BLOB_REDIRECT: z.stringbool().default(false),
  /** A PostgreSQL server, or several hosts of which one accepts writes; by default the database is embedded. */
  DATABASE_URL: databaseUrl.optional(),
  /** The number of processes that serve; `auto` means one per core. Several are started by an additional process. */
  WORKERS: z
    .union(
      [z.literal('auto').transform(() => Math.min(64, availableParallelism())), integer(1, 64)],
      'must be auto or an integer from 1 to 64',
    )
    .prefault('1'),
  /** Replicas of the PostgreSQL server, which answer reads. */
  DATABASE_REPLICA_URLS: list
    .pipe(z.array(z.string().refine(isPostgresUrl, 'is not a PostgreSQL URL')))
    .prefault(''),
  /** The number of seconds after SIGTERM during which requests are still accepted while `/health/ready` is 503. */
  DRAIN_SECONDS: integer(0, 300).default(0),
  /** The total size of the connection pools of a server and its workers. Work without a free connection waits. */
  DATABASE_CONNECTIONS: integer(1, 1000).default(10),
  /** The loopback port of the embedded database; by default that of the last start, or else any free one. */
  EMBEDDED_PORT: integer(1, 65_535).optional(),
  /** The names of the repositories. The first one is the default. */
  REPOSITORIES: list
    .pipe(z.tuple([repositoryName], repositoryName))
    .refine((names) => new Set(names).size === names.length, 'names a repository twice')
    .prefault('default'),
  /** The folder of contributed content model files (*.json). */
  MODEL_DIR: z.string().min(1).optional(),
  /** The name of the administrator who is created at the first start. */
  ADMIN_USERNAME: z.string().normalize('NFC').trim().min(1).default(stockUsername),
  ADMIN_PASSWORD: z.string().min(1).default(stockPassword),
  /** The authentication methods, in the order in which they are tried. */
  AUTH_CHAIN: list
    .pipe(z.array(z.enum(['basic', 'token', 'oauth2', 'jwt'])).min(1))
    .refine((names) => new Set(names).size === names.length, 'names a method twice')
    .prefault('basic,token,oauth2,jwt'),
  /**
   * The limit of failed log-ins per minute of an account from one address; the limit of an address is ten times
   * higher.
   */
  LOGIN_FAILURES: positive.default(10),
  /** The key that signs JWTs. Without it no JWTs are accepted. */
  JWT_SECRET: z.string().min(1).optional(),
  /** The key that derives login tokens and encrypts OAuth tokens; by default it is generated once in DATA_DIR. */
  TOKEN_KEY: z.string().min(16, 'is shorter than 16 characters').optional(),
  /** The number of proxies in front of the server whose X-Forwarded-For, -Proto and -Host are trusted. */
  TRUST_PROXY: integer(0, 100).default(0),
  /** The version that the server reports. Clients choose their behaviour by it. */
  PRODUCT_VERSION: z
    .string()
    .regex(
      /^\d+\.\d+/,
      'must begin with two numbers, such as 2023.5, because clients cannot read other versions',
    )
    .default('2023.5'),
  /** Whether answers follow the contract or the reference implementation where the two differ. */
  COMPATIBILITY: z.enum(['contract', 'reference']).default('contract'),
  /** The timeout of transactions in seconds, if the request does not set one. */
  TRANSACTION_TIMEOUT: integer(1, 86_400).default(300),
  /** The number of days after which log entries are deleted; by default they are not. */
  AUDIT_DAYS: integer(1, 36_500).optional(),
  /** The maximum size of a JSON body, in bytes or with the unit kb or mb. */
  BODY_LIMIT: bytes(['kb', 'mb'], 'must be a number of bytes, kb or mb').prefault('10mb'),
  /** The maximum number of JSON values in a body, and of items or lines in a text. */
  JSON_VALUES_LIMIT: integer(100, 10_000_000).default(100_000),
  /** The maximum size of a body with blobs, in bytes or with the unit kb, mb or gb. */
  UPLOAD_LIMIT: bytes(['kb', 'mb', 'gb'], 'must be a number of bytes, kb, mb or gb').prefault('1gb'),
  /** The maximum size of all upload batches of one user, in bytes or with the unit kb, mb or gb. */
  UPLOAD_QUOTA: bytes(['kb', 'mb', 'gb'], 'must be a number of bytes, kb, mb or gb').prefault('10gb'),
  /** The maximum size of a JSON response, in bytes or with the unit kb or mb. Files, CSV and exports are not limited. */
  ANSWER_LIMIT: bytes(['kb', 'mb'], 'must be a number of bytes, kb or mb').prefault('16mb'),
  /**
   * The memory of a process for rows of requests, in bytes or with a unit; by default an eighth of Node's heap limit.
   */
  MEMORY_BUDGET: bytes(['kb', 'mb', 'gb'], 'must be a number of bytes, kb, mb or gb').optional(),
  /** The number up to which hits of a search, its aggregates and documents of other lists are counted exactly. */
  SEARCH_COUNT_LIMIT: integer(1, 1_000_000).default(10_000),
  /** The language whose stems are used for searches, such as `english`; by default words are not stemmed. */
  SEARCH_LANGUAGE: z.string().optional(),
  /** The folders in which programs that convert files, such as LibreOffice, are searched; `none` for no folder. */
  CONVERTER_FOLDERS: list
    .transform((folders) => folders.filter((folder) => folder !== 'none'))
    .pipe(z.array(z.string().refine(isAbsolute, 'is not an absolute path')))
    .prefault('/usr/local/bin,/usr/bin,/opt/homebrew/bin,/Applications/LibreOffice.app/Contents/MacOS'),
  /** The languages in which tesseract recognizes text in pictures, such as `eng,deu`; by default none. */
  OCR_LANGUAGES: list
    .pipe(z.array(z.string().regex(/^[\w/-]{1,40}$/, 'is not the name of a language')))
    .prefault(''),
  /** The SMTP server that sends mails. Without it mails are stored for administrators to read. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' }).optional(),
  MAIL_FROM: z.email().default('quire@localhost.localdomain'),
  /** The maximum number of recipients of the mails that one user sends within an hour. */
  MAIL_LIMIT: positive.default(100),
  /** The prefixes of URLs from which files can be fetched (`Blob.CreateFromURL`), comma-separated. */
  BLOB_URLS: list.pipe(z.array(webUrl.transform((url) => new URL(url).href))).prefault(''),
  /** Addresses and networks, such as `10.0.0.0/8`, to which requests are allowed although they are not public. */
  WEBHOOK_PRIVATE_ADDRESSES: list
    .pipe(z.array(z.string().refine(isNetwork, 'must contain only addresses and networks')))
    .prefault(''),
  /** The origins whose pages can call the server, such as `https://app.example.org`, comma-separated. */
  CORS_ORIGINS: list
    .pipe(z.array(webUrl.refine((url) => new URL(url).origin === url, 'is not an origin')))
    .prefault(''),
  /** Whether /graphql serves GraphiQL and introspection; by default it does, except in production. */
  GRAPHIQL: z.stringbool().optional(),
  /**
   * An OpenTelemetry collector. Spans of requests and statements are sent to its /v1/traces; by default they are not.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_SERVICE_NAME: z.string().default('quire'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** `production` requires another ADMIN_PASSWORD than the default; `development` adds stack traces to responses. */
  NODE_ENV: z.string().default(''),
});

export type Config = z.infer<typeof configSchema> & { readonly GRAPHIQL: boolean };

/** The share of each worker in a limit for the whole server: at least 1. */
export const shareOf = (total: number, { WORKERS }: Pick<Config, 'WORKERS'>): number =>
  Math.max(1, Math.floor(total / WORKERS));

/**
 * MEMORY_BUDGET in bytes. The default is an eighth of the heap, because rows need several times their size as
 * objects.
 */
export const memoryBudgetOf = ({ MEMORY_BUDGET }: Pick<Config, 'MEMORY_BUDGET'>): number =>
  MEMORY_BUDGET ?? Math.floor(getHeapStatistics().heap_size_limit / 8);

/** The restrictions of requests that fetch files from other servers. */
export const downloadsOf = (config: Config) => ({
  urls: config.BLOB_URLS,
  networks: config.WEBHOOK_PRIVATE_ADDRESSES,
  limit: config.UPLOAD_LIMIT,
});

/** Whether a host is the loopback interface. @param host the host without a port. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'));

const isUrlLoopback = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url).hostname);

type Reach = Pick<Config, 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY'>;

/** Whether only this computer can reach the server, by names of the loopback interface. */
export const isLocal = ({ HOST, PUBLIC_URL, TRUST_PROXY }: Reach): boolean =>
  isLoopback(HOST) && TRUST_PROXY === 0 && (PUBLIC_URL === undefined || isUrlLoopback(PUBLIC_URL));

/** Whether others could reach the server, so that a default password would be dangerous. */
export const isExposed = ({ NODE_ENV, ...reach }: Reach & Pick<Config, 'NODE_ENV'>): boolean =>
  NODE_ENV === 'production' || !isLocal(reach);

/** Thrown for invalid settings. The message has one line for each fault. */
export class ConfigError extends Error {}

const exposureFault =
  'ADMIN_PASSWORD must be set to another password in production, or if HOST or PUBLIC_URL is not loopback, or with TRUST_PROXY';

/** Reads the settings from the environment. An empty variable counts as absent. @throws ConfigError */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const variables: NodeJS.ProcessEnv = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== ''),
  );
  const parsed = configSchema.safeParse(variables);
  const issues = parsed.error?.issues ?? [];
  const faults = issues.map(({ path, message }) => namedFault(path.join('.'), message));
  const faulty = new Set(issues.map(({ path }) => path[0]));
  const valid = Object.fromEntries(Object.entries(variables).filter(([name]) => !faulty.has(name)));
  const { NODE_ENV = '', HOST = '127.0.0.1', PUBLIC_URL, TRUST_PROXY = 0 } = valid;
  const exposed = isExposed({ NODE_ENV, HOST, PUBLIC_URL, TRUST_PROXY: Number(TRUST_PROXY) });
  if (exposed && (variables.ADMIN_PASSWORD ?? stockPassword) === stockPassword) faults.push(exposureFault);
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults.join('\n'));
  return { ...parsed.data, GRAPHIQL: parsed.data.GRAPHIQL ?? parsed.data.NODE_ENV !== 'production' };
}
