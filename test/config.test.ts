import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, configSchema, databaseServers, readConfig } from '../src/config.ts';

const faultsOf = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
};

describe('settings', () => {
  test('have defaults for every variable', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      CONTEXT_PATH: '',
      DATA_DIR: './data',
      REPOSITORIES: ['default'],
      ADMIN_USERNAME: 'Administrator',
      ADMIN_PASSWORD: 'Administrator',
      DATABASE_CONNECTIONS: 10,
      TRANSACTION_TIMEOUT: 300,
      BODY_LIMIT: 10_485_760,
      UPLOAD_LIMIT: 1_073_741_824,
      LOG_LEVEL: 'info',
    });
    expect(readConfig({}).DATABASE_URL).toBeUndefined();
    expect(readConfig({}).EMBEDDED_PORT).toBeUndefined();
    expect(readConfig({}).PUBLIC_URL).toBeUndefined();
    expect(readConfig({}).MODEL_DIR).toBeUndefined();
  });

  test('ignore empty variables', () => {
    const empty = Object.fromEntries(Object.keys(configSchema.shape).map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  test('ignore unknown variables', () => {
    expect(readConfig({ PATH: '/bin', port: '1' })).toEqual(readConfig({}));
  });

  test.each([
    [{ PORT: '0' }, { PORT: 0 }],
    [{ CONTEXT_PATH: '/nuxeo' }, { CONTEXT_PATH: '/nuxeo' }],
    [{ CONTEXT_PATH: '/a/b.c' }, { CONTEXT_PATH: '/a/b.c' }],
    [{ PUBLIC_URL: 'https://example.org//', ADMIN_PASSWORD: 'x' }, { PUBLIC_URL: 'https://example.org' }],
    [
      { PUBLIC_URL: 'http://example.org:8080/x/', ADMIN_PASSWORD: 'x' },
      { PUBLIC_URL: 'http://example.org:8080/x' },
    ],
    [{ DATABASE_URL: 'postgresql://u:p@h/d' }, { DATABASE_URL: 'postgresql://u:p@h/d' }],
    [{ DATABASE_CONNECTIONS: '1' }, { DATABASE_CONNECTIONS: 1 }],
    [{ EMBEDDED_PORT: '5433' }, { EMBEDDED_PORT: 5433 }],
    [{ REPOSITORIES: ' default, other ,' }, { REPOSITORIES: ['default', 'other'] }],
    [{ TRANSACTION_TIMEOUT: '86400' }, { TRANSACTION_TIMEOUT: 86_400 }],
    [{ BODY_LIMIT: '1 KB' }, { BODY_LIMIT: 1_024 }],
    [{ BODY_LIMIT: '2048' }, { BODY_LIMIT: 2_048 }],
    [{ UPLOAD_LIMIT: '20mb' }, { UPLOAD_LIMIT: 20_971_520 }],
    [{ UPLOAD_LIMIT: '2GB' }, { UPLOAD_LIMIT: 2_147_483_648 }],
    [{ LOG_LEVEL: 'silent' }, { LOG_LEVEL: 'silent' }],
    [
      { BLOB_STORE: 's3://files/a/b?region=eu-west-1&pathStyle=true', BLOB_REDIRECT: '1' },
      {
        BLOB_STORE: { bucket: 'files', prefix: 'a/b/', region: 'eu-west-1', pathStyle: true },
        BLOB_REDIRECT: true,
      },
    ],
    [
      { CORS_ORIGINS: 'https://a.org, http://b.org:81' },
      { CORS_ORIGINS: ['https://a.org', 'http://b.org:81'] },
    ],
    [{}, { AUTH_CHAIN: ['basic', 'token', 'oauth2', 'jwt'], LOGIN_FAILURES: 10, TRUST_PROXY: 0 }],
    [{ AUTH_CHAIN: 'jwt, basic' }, { AUTH_CHAIN: ['jwt', 'basic'] }],
    [{ LOGIN_FAILURES: '3' }, { LOGIN_FAILURES: 3 }],
    [{ TRUST_PROXY: '2', ADMIN_PASSWORD: 'x' }, { TRUST_PROXY: 2 }],
    [{ JWT_SECRET: 'x' }, { JWT_SECRET: 'x' }],
    [{ TOKEN_KEY: 'sixteen letters.' }, { TOKEN_KEY: 'sixteen letters.' }],
    [{}, { CORS_ORIGINS: [], GRAPHIQL: true }],
    [{ GRAPHIQL: 'false' }, { GRAPHIQL: false }],
    [{ NODE_ENV: 'production', ADMIN_PASSWORD: 'x' }, { GRAPHIQL: false }],
    [{ NODE_ENV: 'production', ADMIN_PASSWORD: 'x', GRAPHIQL: 'true' }, { GRAPHIQL: true }],
  ])('read %j as %j', (env, read) => {
    expect(readConfig(env)).toMatchObject(read);
  });

  test('read several hosts of DATABASE_URL as libpq does', () => {
    const attributes = 'target_session_attrs=read-write';
    expect(databaseServers(`postgres://u:p,q@one:1,[::1]/d?${attributes}&sslmode=require`)).toEqual({
      urls: ['postgres://u:p,q@one:1/d?sslmode=require', 'postgres://u:p,q@[::1]/d?sslmode=require'],
      isWritable: true,
    });
    const [one, url] = [`postgres://h/d?${attributes}`, 'postgres://h/d'];
    expect([databaseServers(one), databaseServers(url)]).toEqual([
      { urls: [url], isWritable: true },
      { urls: [url], isWritable: false },
    ]);
  });

  test.each([
    { PORT: '65536' },
    { PORT: '-1' },
    { PORT: '80.5' },
    { PORT: 'http' },
    { CONTEXT_PATH: 'nuxeo' },
    { CONTEXT_PATH: '/nuxeo/' },
    { CONTEXT_PATH: '/' },
    { CONTEXT_PATH: '/:name' },
    { PUBLIC_URL: 'example.org' },
    { PUBLIC_URL: 'ftp://example.org' },
    { DATABASE_URL: 'mysql://localhost/x' },
    { DATABASE_URL: 'localhost' },
    { DATABASE_URL: 'postgres://a,b:port/x' },
    { DATABASE_URL: 'postgres://a,b/x?target_session_attrs=standby' },
    { DATABASE_CONNECTIONS: '0' },
    { DATABASE_CONNECTIONS: '1001' },
    { DATABASE_CONNECTIONS: 'many' },
    { EMBEDDED_PORT: '0' },
    { EMBEDDED_PORT: '65536' },
    { EMBEDDED_PORT: 'yes' },
    { REPOSITORIES: ',' },
    { REPOSITORIES: 'a,a' },
    { REPOSITORIES: 'a b' },
    { REPOSITORIES: 'a/b' },
    { REPOSITORIES: 'x'.repeat(65) },
    { TRANSACTION_TIMEOUT: '0' },
    { TRANSACTION_TIMEOUT: '86401' },
    { BODY_LIMIT: 'much' },
    { BODY_LIMIT: '1gb' },
    { UPLOAD_LIMIT: '1tb' },
    { LOG_LEVEL: 'loud' },
    { CORS_ORIGINS: '*' },
    { CORS_ORIGINS: 'https://a.org/path' },
    { CORS_ORIGINS: 'a.org' },
    { GRAPHIQL: 'perhaps' },
    { AUTH_CHAIN: 'basic,ldap' },
    { AUTH_CHAIN: 'basic,basic' },
    { AUTH_CHAIN: ',' },
    { LOGIN_FAILURES: '0' },
    { LOGIN_FAILURES: 'many' },
    { TRUST_PROXY: '-1' },
    { TRUST_PROXY: 'true' },
    { TOKEN_KEY: 'too short' },
  ] as NodeJS.ProcessEnv[])('refuse %j and name the variable', (env) => {
    expect(faultsOf(env)).toMatch(new RegExp(`^${Object.keys(env)[0]}\\b.* `));
  });

  test.each<[NodeJS.ProcessEnv, string]>([
    [{ WORKERS: 'x' }, 'WORKERS must be auto or an integer from 1 to 64'],
    [{ PORT: 'abc' }, 'PORT: "abc" is not an integer from 0 to 65535'],
    [{ TRUST_PROXY: 'x' }, 'TRUST_PROXY: "x" is not an integer from 0 to 100'],
    [{ SMTP_URL: 'http://x' }, 'SMTP_URL must begin with smtp:// or smtps://'],
    [{ PUBLIC_URL: 'localhost:1' }, 'PUBLIC_URL is not a URL that begins with http:// or https://'],
    [{ BLOB_URLS: 'x' }, 'BLOB_URLS.0 is not a URL that begins with http:// or https://'],
  ])('of %j say what is expected, and no more', (env, fault) => {
    expect(faultsOf(env)).toBe(fault);
  });

  test('report all faults together, one per line', () => {
    const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'y', REPOSITORIES: ',', NODE_ENV: 'production' }).split(
      '\n',
    );
    expect(faults.map((line) => line.replace(/[:. ].*/, '')).sort()).toEqual([
      'ADMIN_PASSWORD',
      'LOG_LEVEL',
      'PORT',
      'REPOSITORIES',
    ]);
  });
});

describe('the stock password', () => {
  test.each([
    { NODE_ENV: 'production' },
    { NODE_ENV: 'production', ADMIN_PASSWORD: 'Administrator' },
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.0.1' },
    { HOST: 'example.org' },
    { HOST: '127.evil.org' },
    { HOST: '0.0.0.0', ADMIN_PASSWORD: '' },
    { PUBLIC_URL: 'https://docs.example.org' },
    { PUBLIC_URL: 'http://localhost.example.org' },
    { TRUST_PROXY: '1' },
    { PUBLIC_URL: 'https://docs.example.org', TRUST_PROXY: '1', ADMIN_PASSWORD: 'Administrator' },
  ])('is refused with %j', (env) => {
    expect(faultsOf(env)).toContain('ADMIN_PASSWORD');
    expect(faultsOf({ ...env, ADMIN_PASSWORD: 'another' })).toBe('');
  });

  test.each([
    {},
    { HOST: 'localhost' },
    { HOST: '::1' },
    { HOST: '127.0.0.2' },
    { NODE_ENV: 'development' },
    { PUBLIC_URL: 'http://localhost:8080' },
    { PUBLIC_URL: 'https://127.0.0.1' },
    { PUBLIC_URL: 'http://[::1]:8080', TRUST_PROXY: '0' },
  ])('is accepted with %j', (env) => {
    expect(faultsOf(env)).toBe('');
  });
});

describe('.env.example', () => {
  const lines = readFile(new URL('../.env.example', import.meta.url), 'utf8').then((text) =>
    text.split('\n'),
  );
  const assignment = /^# ([A-Z_]+)=(.*)$/;

  test('contains every setting once, and no other', async () => {
    const names = (await lines)
      .map((line) => assignment.exec(line)?.[1])
      .filter((name) => name !== undefined);
    expect(names.sort()).toEqual(Object.keys(configSchema.shape).sort());
  });

  test('contains the defaults, and is valid with all lines enabled', async () => {
    const shown = (await lines).flatMap((line) => {
      const [, name = '', value = ''] = assignment.exec(line) ?? [];
      return name ? [[name, value]] : [];
    });
    const defaults = readConfig({});
    const { ADMIN_PASSWORD: stock, ...shownOthers } = Object.fromEntries(shown);
    expect(stock).toBe(defaults.ADMIN_PASSWORD);
    const read = readConfig({ ...shownOthers, ADMIN_PASSWORD: 'as PUBLIC_URL demands' });
    // These two have an example instead of a default.
    const { PUBLIC_URL, DATABASE_URL, ...others } = { ...read, ADMIN_PASSWORD: stock };
    expect(PUBLIC_URL).toMatch(/^https:/);
    expect(DATABASE_URL).toMatch(/^postgres:/);
    expect(defaults).toEqual(others);
  });

  test('describes each setting in the line before', async () => {
    const all = await lines;
    all.forEach((line, index) => {
      if (assignment.test(line)) expect(all[index - 1]).toMatch(/^# \S.*[.]/);
    });
  });
});
