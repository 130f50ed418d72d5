import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { posix, win32 } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import leven from 'leven';
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

/**
 * Parses a number of bytes with an optional unit.
 * @param units the allowed units, each of which is 1024 times as large as the previous one
 */
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

/** The PostgreSQL servers that a connection string specifies. */
export interface DatabaseServers {
  /** The connection strings, one for each host. */
  readonly urls: readonly string[];
  /** Whether the connection must be to a server that accepts writes. */
  readonly isWritable: boolean;
}

const target = /([?&])target_session_attrs=(read-write|primary)(?:&|$)/;

/** Parses a connection string with several hosts and `target_session_attrs` in the same way as libpq. */
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

/** Where blobs are stored: in the folder `DATA_DIR/blobs`, or in a bucket of S3 or a compatible service. */
export type BlobAddress = 'folder' | S3Address;

export interface S3Address {
  readonly bucket: string;
  /** The prefix of all object keys. It is empty or ends with a slash. */
  readonly prefix: string;
  /**
   * The URL of an S3-compatible service. Like the other optional fields, it defaults to the usual AWS environment
   * variables.
   */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Whether the bucket's name is part of the path instead of the host name. */
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

/** The default user name and password of the administrator. */
export const stockUsername = 'Administrator';
export const stockPassword = 'Administrator';

/** All settings. A test checks that `.env.example` lists the same settings. */
export const configSchema = z.object({
  /** The port on which the server listens; 0 chooses a free port. */
  PORT: integer(0, 65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  /** The prefix of all paths, such as `/nuxeo`; the REST API is at CONTEXT_PATH/api/v1. */
  CONTEXT_PATH: z
    .string()
    .regex(/^(\/[\w.~-]+)*$/, 'must begin with a slash and not end with one')
    .default(''),
  /** The scheme and host of the URLs that the server returns; by default, they are taken from each request. */
  PUBLIC_URL: webUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** The folder that contains the embedded database and the blobs. */
  DATA_DIR: z.string().min(1).default('./data'),
  /** The blob store: `folder` for `DATA_DIR/blobs`, or `s3://BUCKET/PREFIX` for S3 or a compatible service. */
  BLOB_STORE: blobAddress.prefault('folder'),
  /** A second blob store from which blobs can also be read. Set it while blobs are being moved to another store. */
  BLOB_STORE_ALSO: blobAddress.optional(),
  /** Whether downloads are redirected to a signed S3 URL that is valid for one minute. */
  BLOB_REDIRECT: z.stringbool().default(false),
  /**
   * The URL of a PostgreSQL server, or of several hosts of which one accepts writes; by default, the server uses an
   * embedded database.
   */
  DATABASE_URL: databaseUrl.optional(),
  /**
   * The number of processes that serve requests; `auto` starts one per core. If there are several, an additional
   * process supervises them.
   */
  WORKERS: z
    .union(
      [z.literal('auto').transform(() => Math.min(64, availableParallelism())), integer(1, 64)],
      'must be auto or an integer from 1 to 64',
    )
    .prefault('1'),
  /** The URLs of read replicas of the PostgreSQL server. */
  DATABASE_REPLICA_URLS: list
    .pipe(z.array(z.string().refine(isPostgresUrl, 'is not a PostgreSQL URL')))
    .prefault(''),
  /**
   * The number of seconds after SIGTERM during which the server still accepts requests while `/health/ready` already
   * responds with 503.
   */
  DRAIN_SECONDS: integer(0, 300).default(0),
  /**
   * The maximum number of database connections that a server and its workers use in total. Work that finds no free
   * connection waits.
   */
  DATABASE_CONNECTIONS: integer(1, 1000).default(10),
  /** The loopback port of the embedded database; by default the port that was used last, or any free port. */
  EMBEDDED_PORT: integer(1, 65_535).optional(),
  /** The names of the repositories, the first of which is the default. */
  REPOSITORIES: list
    .pipe(z.tuple([repositoryName], repositoryName))
    .refine((names) => new Set(names).size === names.length, 'contains the same repository twice')
    .prefault('default'),
  /** The folder with additional content model files (*.json). */
  MODEL_DIR: z.string().min(1).optional(),
  /**
   * The extensions to load, separated by commas: names of packages, or files whose paths begin with `/`, `./` or `../`.
   */
  EXTENSIONS: list.prefault(''),
  /** The user name of the administrator who is created when the server first starts. */
  ADMIN_USERNAME: z.string().normalize('NFC').trim().min(1).default(stockUsername),
  ADMIN_PASSWORD: z.string().min(1).default(stockPassword),
  /** The authentication methods, in the order in which they are tried. */
  AUTH_CHAIN: list
    .pipe(z.array(z.enum(['basic', 'token', 'oauth2', 'jwt', 'oidc'])).min(1))
    .refine((names) => new Set(names).size === names.length, 'contains the same method twice')
    .prefault('basic,token,oauth2,jwt'),
  /** The JSON file that configures the identity providers with which users can sign in. */
  IDENTITY_FILE: z.string().min(1).optional(),
  /**
   * The maximum number of failed log-ins per minute for one account from one address. The limit for all accounts
   * from one address is ten times higher.
   */
  LOGIN_FAILURES: positive.default(10),
  /**
   * The minimum number of characters in new passwords. Unless it is 1, common passwords and the user's own name are
   * rejected. The default is 8 if others can reach the server, and 1 otherwise.
   */
  PASSWORD_MIN_LENGTH: integer(1, 128).optional(),
  /** The groups whose members need a second factor, separated by commas; `*` stands for all users. */
  SECOND_FACTOR_GROUPS: list.prefault(''),
  /** The key for signing JWTs. If it is not set, JWTs are not accepted. */
  JWT_SECRET: z.string().min(1).optional(),
  /**
   * The key that is used to derive login tokens and to encrypt OAuth tokens. By default, a key is generated once and
   * stored in DATA_DIR.
   */
  TOKEN_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  /**
   * The number of reverse proxies in front of the server. Their X-Forwarded-For, -Proto and -Host headers are
   * trusted.
   */
  TRUST_PROXY: integer(0, 100).default(0),
  /** The version number that the server reports. Some clients change their behavior depending on it. */
  PRODUCT_VERSION: z
    .string()
    .regex(
      /^\d+\.\d+/,
      'must begin with two numbers, such as 2023.5, because clients cannot read other versions',
    )
    .default('2023.5'),
  /** Whether to follow the contract or the reference implementation where their behavior differs. */
  COMPATIBILITY: z.enum(['contract', 'reference']).default('contract'),
  /** The timeout of transactions in seconds, unless the request sets another one. */
  TRANSACTION_TIMEOUT: integer(1, 86_400).default(300),
  /** The number of days after which audit log entries are deleted; by default they are never deleted. */
  AUDIT_DAYS: integer(1, 36_500).optional(),
  /** The maximum size of a JSON body: a number of bytes, optionally with the unit kb or mb. */
  BODY_LIMIT: bytes(['kb', 'mb'], 'must be a number of bytes, optionally with the unit kb or mb').prefault(
    '10mb',
  ),
  /** The maximum number of JSON values in a body, and of items or lines in one string value. */
  JSON_VALUES_LIMIT: integer(100, 10_000_000).default(100_000),
  /** The maximum size of a body with files: a number of bytes, optionally with the unit kb, mb or gb. */
  UPLOAD_LIMIT: bytes(
    ['kb', 'mb', 'gb'],
    'must be a number of bytes, optionally with the unit kb, mb or gb',
  ).prefault('1gb'),
  /**
   * The maximum total size of one user's upload batches: a number of bytes, optionally with the unit kb, mb or gb.
   */
  UPLOAD_QUOTA: bytes(
    ['kb', 'mb', 'gb'],
    'must be a number of bytes, optionally with the unit kb, mb or gb',
  ).prefault('10gb'),
  /**
   * The maximum size of a JSON response: a number of bytes, optionally with the unit kb or mb. Files, CSV and
   * exports are not limited.
   */
  ANSWER_LIMIT: bytes(['kb', 'mb'], 'must be a number of bytes, optionally with the unit kb or mb').prefault(
    '16mb',
  ),
  /**
   * The amount of memory that one process can use for rows that requests have read: a number of bytes, optionally with
   * the unit kb, mb or gb. The default is an eighth of Node's heap limit.
   */
  MEMORY_BUDGET: bytes(
    ['kb', 'mb', 'gb'],
    'must be a number of bytes, optionally with the unit kb, mb or gb',
  ).optional(),
  /** The number up to which search hits, aggregates and other lists of documents are counted exactly. */
  SEARCH_COUNT_LIMIT: integer(1, 1_000_000).default(10_000),
  /** The language whose stemming rules apply to searches, such as `english`; by default, words are not stemmed. */
  SEARCH_LANGUAGE: z.string().optional(),
  /**
   * The folders in which the server looks for programs that convert files, such as LibreOffice; `none` disables these
   * programs.
   */
  CONVERTER_FOLDERS: list
    .transform((folders) => folders.filter((folder) => folder !== 'none'))
    .pipe(z.array(z.string().refine(isAbsolute, 'is not an absolute path')))
    .prefault('/usr/local/bin,/usr/bin,/opt/homebrew/bin,/Applications/LibreOffice.app/Contents/MacOS'),
  /** The languages in which tesseract recognizes text in images, such as `eng,deu`; by default, it is not used. */
  OCR_LANGUAGES: list
    .pipe(z.array(z.string().regex(/^[\w/-]{1,40}$/, 'is not the name of a language')))
    .prefault(''),
  /** The SMTP server for outgoing email. If it is not set, emails are stored for administrators to read. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' }).optional(),
  MAIL_FROM: z.email().default('quire@localhost.localdomain'),
  /** The maximum number of recipients to whom one user can send email per hour. */
  MAIL_LIMIT: positive.default(100),
  /** The URL prefixes from which `Blob.CreateFromURL` can fetch files, separated by commas. */
  BLOB_URLS: list.pipe(z.array(webUrl.transform((url) => new URL(url).href))).prefault(''),
  /** Non-public IP addresses and networks, such as `10.0.0.0/8`, to which the server can send requests. */
  WEBHOOK_PRIVATE_ADDRESSES: list
    .pipe(z.array(z.string().refine(isNetwork, 'must contain only addresses and networks')))
    .prefault(''),
  /** The origins whose web pages can call the server, such as `https://app.example.org`, separated by commas. */
  CORS_ORIGINS: list
    .pipe(z.array(webUrl.refine((url) => new URL(url).origin === url, 'is not an origin')))
    .prefault(''),
  /** The name that the console shows for this server. */
  CONSOLE_NAME: z.string().trim().min(1).max(40).default('Quire'),
  /** The color of links and buttons in the console; it is darkened or lightened until texts are readable. */
  CONSOLE_COLOR: z
    .string()
    .regex(/^#[\da-f]{6}$/i, 'must be a color such as #1c5a9e')
    .optional(),
  /** The path of a picture (SVG, PNG, JPEG or WebP) that the console shows next to the name. */
  CONSOLE_LOGO: z
    .string()
    .regex(/\.(svg|png|jpe?g|webp)$/i, 'must be the path of an SVG, PNG, JPEG or WebP file')
    .optional(),
  /** Whether /graphql offers GraphiQL and introspection; by default it does, except in production. */
  GRAPHIQL: z.stringbool().optional(),
  /**
   * The URL of an OpenTelemetry collector. The server sends spans for requests and statements to the path /v1/traces of
   * this URL; by default, no spans are sent.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_SERVICE_NAME: z.string().default('quire'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /**
   * `production` requires an ADMIN_PASSWORD other than the default one; `development` adds stack traces to error
   * responses.
   */
  NODE_ENV: z.string().default(''),
});

export type Config = z.infer<typeof configSchema> & {
  readonly GRAPHIQL: boolean;
  readonly PASSWORD_MIN_LENGTH: number;
};

/**
 * Returns the value of an environment variable that is not a server setting; undefined if it is not set or empty.
 */
export const environmentVariable = (name: string, env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env[name] || undefined;

/**
 * Returns the environment variables whose names differ from that of a setting by one or two characters. They have no
 * effect, so they are probably mistyped.
 */
export function mistypedSettings(
  env: NodeJS.ProcessEnv = process.env,
): Array<{ readonly name: string; readonly setting: string }> {
  const settings = Object.keys(configSchema.shape);
  return Object.keys(env).flatMap((name) => {
    if (settings.includes(name) || name.length < 6) return [];
    const maxDistance = name.length < 9 ? 1 : 2;
    const setting = settings.find((each) => leven(each, name) <= maxDistance);
    return setting === undefined ? [] : [{ name, setting }];
  });
}

/** Returns each worker's share of a limit that applies to the whole server; at least 1. */
export const shareOf = (total: number, { WORKERS }: Pick<Config, 'WORKERS'>): number =>
  Math.max(1, Math.floor(total / WORKERS));

/**
 * Returns MEMORY_BUDGET in bytes. The default is only an eighth of the heap, because rows take up several times their
 * size as JavaScript objects.
 */
export const memoryBudgetOf = ({ MEMORY_BUDGET }: Pick<Config, 'MEMORY_BUDGET'>): number =>
  MEMORY_BUDGET ?? Math.floor(getHeapStatistics().heap_size_limit / 8);

/** Returns the settings that restrict requests for files on other servers. */
export const downloadsOf = (config: Config) => ({
  urls: config.BLOB_URLS,
  networks: config.WEBHOOK_PRIVATE_ADDRESSES,
  limit: config.UPLOAD_LIMIT,
});

/** Returns whether a host is on the loopback interface. @param host a host name or address without a port */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'));

const isUrlLoopback = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url).hostname);

type Reach = Pick<Config, 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY'>;

/** Returns whether the server can be reached only from this computer, through the loopback interface. */
export const isLocal = ({ HOST, PUBLIC_URL, TRUST_PROXY }: Reach): boolean =>
  isLoopback(HOST) && TRUST_PROXY === 0 && (PUBLIC_URL === undefined || isUrlLoopback(PUBLIC_URL));

/**
 * Returns whether others might be able to reach the server, in which case a default password would be dangerous.
 */
export const isExposed = ({ NODE_ENV, ...reach }: Reach & Pick<Config, 'NODE_ENV'>): boolean =>
  NODE_ENV === 'production' || !isLocal(reach);

/** Thrown if settings are invalid. The message contains one line per error. */
export class ConfigError extends Error {}

const exposureFault =
  'ADMIN_PASSWORD must not be the default password in production, if HOST or PUBLIC_URL is not a loopback address, or if TRUST_PROXY is set';

/** Reads the settings from environment variables. Empty variables are ignored. @throws ConfigError */
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
  const { GRAPHIQL, PASSWORD_MIN_LENGTH } = parsed.data;
  return {
    ...parsed.data,
    GRAPHIQL: GRAPHIQL ?? parsed.data.NODE_ENV !== 'production',
    PASSWORD_MIN_LENGTH: PASSWORD_MIN_LENGTH ?? (exposed ? 8 : 1),
  };
}
