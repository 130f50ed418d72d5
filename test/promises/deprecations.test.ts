import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, printSchema } from 'graphql';
import { configSchema, readConfig } from '../../src/config.ts';
import { type Deprecation, type Deprecations, deprecations } from '../../src/deprecations.ts';
import { settingsFindings } from '../../src/doctor/checks/settings.ts';
import { openApiDescription } from '../../src/openapi/description.ts';
import { contributedNames } from '../../src/rest/contributed-names.ts';
import { schema } from '../../src/schema/index.ts';
import { markDeprecated } from '../../src/schema/mark-deprecated.ts';
import { newFolder } from '../support/folder.ts';
import { useServer } from '../support/server.ts';

const deprecation: Deprecation = {
  version: '1.2.0',
  since: '2027-01-31',
  sunset: '2028-02-01',
  instead: 'Use something else.',
};
const text = 'Deprecated since 1.2.0, and removed on 2028-02-01 at the earliest. Use something else.';

const api = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const allCalls = Object.values<
  Record<string, { operationId: string; parameters?: Array<{ name?: string }> }>
>(api.paths).flatMap((path) => Object.values(path));

/** Lists the entries that name nothing, or whose time is shorter than promised. */
function faultsOf({ calls, parameters, fields, settings }: Deprecations): string[] {
  const known = {
    calls: allCalls.map(({ operationId }) => operationId),
    parameters: [
      ...Object.keys(api.components.parameters),
      ...allCalls.flatMap((call) => call.parameters?.map(({ name }) => name) ?? []),
    ],
    settings: Object.keys(configSchema.shape),
  };
  const faults = Object.entries({ calls, parameters, settings }).flatMap(([kind, entries]) =>
    Object.keys(entries)
      .filter((name) => !known[kind as keyof typeof known].includes(name))
      .map((name) => `${name} does not exist.`),
  );
  markDeprecated(buildSchema(printSchema(schema)), fields);
  for (const [name, { since, sunset }] of Object.entries({
    ...calls,
    ...parameters,
    ...fields,
    ...settings,
  })) {
    const earliest = new Date(since);
    earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
    if (!(new Date(sunset) >= earliest)) faults.push(`${name} is removed too early.`);
  }
  return faults;
}

test('Everything that is deprecated exists, and remains for at least twelve months', () => {
  expect(faultsOf(deprecations)).toEqual([]);
  const early = { ...deprecation, sunset: '2028-01-30' };
  const wrong = {
    calls: { getNothing: deprecation },
    parameters: { depth: early },
    fields: {},
    settings: {},
  };
  expect(faultsOf(wrong)).toEqual(['getNothing does not exist.', 'depth is removed too early.']);
  const field = { 'Query.nothing': deprecation };
  expect(() => faultsOf({ ...wrong, fields: field })).toThrow(
    'Query.nothing is deprecated, but does not exist.',
  );
});

describe('What is deprecated is marked where it is used:', () => {
  const server = useServer();
  beforeAll(() => {
    deprecations.calls.getMe = deprecation;
    deprecations.parameters.depth = { ...deprecation, since: '2027-01-01', sunset: '2028-06-01' };
    deprecations.parameters.pageSize = deprecation;
    deprecations.settings.LOG_LEVEL = deprecation;
  });
  afterAll(() => {
    for (const entries of Object.values(deprecations))
      for (const name of Object.keys(entries)) delete entries[name];
  });

  test('responses have Deprecation, Sunset and Link, even if they are errors', async () => {
    const { headers } = await server.request.get('/api/v1/me').expect(200);
    expect(headers).toMatchObject({
      deprecation: `@${Date.UTC(2027, 0, 31) / 1000}`,
      sunset: 'Tue, 01 Feb 2028 00:00:00 GMT',
    });
    expect(headers.link).toMatch(/^<http:\/\/[^>]*\/docs\/promises>; rel="deprecation"; type="text\/html"$/);
    const missing = await server.request.get('/api/v1/path/nowhere').set('depth', 'max').expect(404);
    expect(missing.headers.sunset).toBe('Thu, 01 Jun 2028 00:00:00 GMT');
  });

  test('the earliest dates count, and calls without anything deprecated have no such headers', async () => {
    const both = await server.request.get('/api/v1/me').set('depth', 'root').expect(200);
    expect(both.headers).toMatchObject({
      deprecation: `@${Date.UTC(2027, 0, 1) / 1000}`,
      sunset: 'Tue, 01 Feb 2028 00:00:00 GMT',
    });
    const page = await server.request.get('/api/v1/path/@children?pageSize=1').expect(200);
    expect(page.headers.sunset).toBe('Tue, 01 Feb 2028 00:00:00 GMT');
    const { headers } = await server.request.get('/api/v1/path/@children').expect(200);
    expect(headers).not.toHaveProperty('deprecation');
    expect(headers).not.toHaveProperty('sunset');
  });

  test('openapi.json has deprecated: true', () => {
    const described = JSON.parse(
      JSON.stringify(
        openApiDescription(
          { schema, contributed: contributedNames(server.model) },
          { isAdministrator: true },
        ),
      ),
    );
    expect(described.paths['/me'].get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(text),
    });
    expect(described.paths['/me/changepassword'].put).not.toHaveProperty('deprecated');
    expect(described.components.parameters.depth).toMatchObject({ deprecated: true });
    const { parameters } = described.paths['/path/{path}/@children'].get;
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'pageSize', deprecated: true }));
    expect(parameters.filter((each: { deprecated?: true }) => each.deprecated)).toHaveLength(1);
  });

  test('schema.graphql has @deprecated', () => {
    const printed = printSchema(
      markDeprecated(buildSchema('type Query { a: Int b: Int }'), { 'Query.a': deprecation }),
    );
    expect(printed).toBe(`type Query {\n  a: Int @deprecated(reason: "${text}")\n  b: Int\n}`);
  });

  test('a setting that is in use is named in the log at the start, and by quire doctor', async () => {
    const config = readConfig({ DATA_DIR: newFolder() });
    const finding = {
      level: 'advice',
      problem: 'The setting LOG_LEVEL has been deprecated since 1.2.0.',
      reason: 'A release on or after 2028-02-01 can remove it.',
      remedy: 'Use something else.',
    };
    expect(await settingsFindings(config, { LOG_LEVEL: 'info' })).toContainEqual(finding);
    expect(await settingsFindings(config, {})).not.toContainEqual(finding);
  });
});
