import { isIP } from 'node:net';
import { z } from 'zod';

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const positive = z.coerce.number().int().positive();

/** An amount of bytes in some units, the smallest first; each is 1024 of the one before. */
const bytes = (units: readonly [string, ...string[]], fault: string) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,12} *(${units.join('|')})?$`, 'i'), fault)
    .transform((text) => {
      const unit = text.replace(/[\d ]/g, '').toLowerCase();
      return Number.parseInt(text, 10) * 1024 ** (units.indexOf(unit) + 1);
    });

/** Every setting, its default and its rule; `.env.example` names the same ones. */
export const settings = z.object({
  /** Port of the server; 0 takes a free one. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** Address to listen on. */
  HOST: z.string().default('127.0.0.1'),
  /** What stands before /api/v1 in every address, `/nuxeo` say. */
  CONTEXT_PATH: z
    .string()
    .regex(/^(\/[\w.~-]+)*$/, 'begins with a slash and does not end with one')
    .default(''),
  /** How clients reach the server, with scheme and host; else taken from each request. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Where the embedded database and the blobs are kept. */
  DATA_DIR: z.string().min(1).default('./data'),
  /** A PostgreSQL server; without it the database is embedded in DATA_DIR. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** How many connections to a PostgreSQL server are pooled: statements and transactions wait for a free one. */
  DATABASE_CONNECTIONS: positive.max(1000).default(10),
  /** Loopback port on which other programs reach the embedded database, without a password; none when absent. */
  EMBEDDED_PORT: positive.max(65_535).optional(),
  /** Repositories, the first being the default one. */
  REPOSITORIES: list
    .pipe(
      z.array(z.string().regex(/^[\w.-]{1,64}$/, 'is a word of letters, digits, ".", "_" and "-"')).min(1),
    )
    .refine((names) => new Set(names).size === names.length, 'names a repository twice')
    .prefault('default'),
  /** Folder of contributed content model files (*.json). */
  MODEL_DIR: z.string().min(1).optional(),
  /** The stock administrator. */
  ADMIN_USERNAME: z.string().min(1).default('Administrator'),
  /** The password that user is created with, at the first start. */
  ADMIN_PASSWORD: z.string().min(1).default('Administrator'),
  /** Ways to say who is calling, in the order in which they are looked for. */
  AUTH_CHAIN: list
    .pipe(z.array(z.enum(['basic', 'token', 'oauth2', 'jwt'])).min(1))
    .refine((names) => new Set(names).size === names.length, 'names a method twice')
    .prefault('basic,token,oauth2,jwt'),
  /** Failed log-ins of an account from one address in a minute; ten times as many from one address. */
  LOGIN_FAILURES: positive.default(10),
  /** What JWTs are signed with; there are none when absent. */
  JWT_SECRET: z.string().min(1).optional(),
  /** What login tokens follow from and OAuth tokens are encrypted with; made once in DATA_DIR when absent. */
  TOKEN_KEY: z.string().min(16, 'is shorter than 16 characters').optional(),
  /** Proxies in front of the server whose X-Forwarded-For, -Proto and -Host are believed. */
  TRUST_PROXY: z.coerce.number().int().min(0).max(100).default(0),
  /** The version that clients are told, who choose their behaviour by it. */
  PRODUCT_VERSION: z
    .string()
    .regex(/^\d+\.\d+/, 'must begin with two numbers, like 2023.5: clients cannot read others')
    .default('2023.5'),
  /** Seconds a transaction may last when the request does not say. */
  TRANSACTION_TIMEOUT: positive.max(86_400).default(300),
  /** Days that log entries are kept; for ever when absent. */
  AUDIT_DAYS: positive.max(36_500).optional(),
  /** Largest JSON body: bytes, or with kb or mb. */
  BODY_LIMIT: bytes(['kb', 'mb'], 'is a number of bytes, kb or mb').prefault('10mb'),
  /** Largest body that brings blobs, with everything in it: bytes, or with kb, mb or gb. */
  UPLOAD_LIMIT: bytes(['kb', 'mb', 'gb'], 'is a number of bytes, kb, mb or gb').prefault('1gb'),
  /** Origins whose browsers may call, as `https://app.example.org`, comma-separated. */
  CORS_ORIGINS: list
    .pipe(
      z.array(
        z
          .url({ protocol: /^https?$/, abort: true })
          .refine((url) => new URL(url).origin === url, 'is not an origin'),
      ),
    )
    .prefault(''),
  /** Whether /graphql shows GraphiQL and answers introspection; not in production unless set. */
  GRAPHIQL: z.stringbool().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** `production` demands a real password; `development` shows stack traces in answers. */
  NODE_ENV: z.string().default(''),
});

export type Config = z.infer<typeof settings> & { readonly GRAPHIQL: boolean };

const loopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** The settings cannot be used; the message names every fault, a line each. */
export class ConfigError extends Error {}

/**
 * Reads the settings from the environment; an empty variable counts as absent.
 * @throws ConfigError naming all faults at once.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given: NodeJS.ProcessEnv = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== ''),
  );
  const parsed = settings.safeParse(given);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const exposed = given.NODE_ENV === 'production' || !loopback(given.HOST ?? '127.0.0.1');
  if (exposed && (given.ADMIN_PASSWORD ?? 'Administrator') === 'Administrator') {
    faults.push('ADMIN_PASSWORD: must be set to something else in production, or when HOST is not loopback');
  }
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults.join('\n'));
  return { ...parsed.data, GRAPHIQL: parsed.data.GRAPHIQL ?? parsed.data.NODE_ENV !== 'production' };
}
