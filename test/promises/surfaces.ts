import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { lexicographicSortSchema, parse, print, printSchema, visit } from 'graphql';
import { z } from 'zod';
import { commands } from '../../src/cli/commands/index.ts';
import { QuireCommand } from '../../src/cli/surroundings.ts';
import { configSchema } from '../../src/config.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { contributedShape } from '../../src/model/definitions.ts';
import { schema } from '../../src/schema/index.ts';
import { type JsonSchema, Listing, listSchema, type Sides, type Surface } from './surface.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: JsonSchema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses?: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}

/** The parts of openapi.json that are promised. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

const nameOf = (reference: string): string => decodeURIComponent(reference.split('/').at(-1) ?? '');

const sent: Sides = { isSent: true, isReceived: false };
const received: Sides = { isSent: false, isReceived: true };

/** Returns the names of all schemas to which a value refers, directly or through other schemas. */
function reachable(from: unknown, { components }: OpenApi, found = new Set<string>()): Set<string> {
  for (const [, reference = ''] of JSON.stringify(from ?? null).matchAll(
    /"\$ref":"#\/components\/([^"]+)"/g,
  )) {
    const [kind = '', name = ''] = reference.split('/').map(decodeURIComponent);
    if (found.has(reference)) continue;
    found.add(reference);
    reachable(components[kind as keyof OpenApi['components']]?.[name], { components, paths: {} }, found);
  }
  return found;
}

function listContent(listing: Listing, subject: string, { content = {} }: Content, sides: Sides): void {
  for (const [type, { schema: shape = {} }] of Object.entries(content)) {
    listing.add(subject, type);
    listSchema(listing, `${subject} ${type}`, shape, sides);
  }
}

/** Lists the calls of openapi.json with their parameters, bodies and responses. */
export function restSurface(api: OpenApi): Surface {
  const listing = new Listing();
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'put', 'post', 'delete', 'patch', 'head'].includes(method))
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  for (const [call, { parameters = [], requestBody, responses = {} }] of operations) {
    listing.add(call);
    for (const each of parameters) {
      const {
        name,
        in: place,
        required = false,
        schema: shape = {},
      } = each.$ref ? (api.components.parameters[nameOf(each.$ref)] ?? each) : each;
      listing.add(call, `${place} ${name}`, ...(required ? [`!${place} ${name}`] : []));
      // A shared parameter has the same values everywhere, so they are listed once.
      listSchema(listing, `${each.$ref ? '' : `${call} `}${place} ${name}`, shape, sent);
    }
    if (requestBody) {
      listing.add(call, 'body', ...(requestBody.required ? ['!body'] : []));
      listContent(listing, `${call} body`, requestBody, sent);
    }
    for (const [status, response] of Object.entries(responses)) {
      if (!/^[23]/.test(status)) continue; // Errors have one form, and a call can return any of them.
      listing.add(call, status);
      const body = response.$ref ? (api.components.responses[nameOf(response.$ref)] ?? {}) : response;
      listContent(listing, `${call} ${status}`, body, received);
    }
  }
  const isSent = reachable(
    operations.map(([, { requestBody }]) => requestBody),
    api,
  );
  const isReceived = reachable(
    operations.map(([, { responses }]) => responses),
    api,
  );
  for (const [name, shape] of Object.entries(api.components.schemas))
    listSchema(listing, name, shape, {
      isSent: isSent.has(`schemas/${name}`),
      isReceived: isReceived.has(`schemas/${name}`),
    });
  return listing.subjects;
}

/** Lists the commands with their arguments and options. */
export async function commandLineSurface(): Promise<Surface> {
  const listing = new Listing();
  const list = (name: string, command: QuireCommand): void => {
    listing.add(name);
    for (const [at, argument] of command.registeredArguments.entries())
      listing.add(
        name,
        `argument ${at + 1}${argument.variadic ? ' and more' : ''}`,
        ...(argument.required ? [`!argument ${at + 1}`] : []),
      );
    for (const { long, short, required, optional, mandatory } of command.options) {
      const value = required ? ' VALUE' : optional ? ' [VALUE]' : '';
      listing.add(name, `${long ?? short}${value}`, ...(mandatory ? [`!${long ?? short}`] : []));
    }
    for (const each of command.commands as QuireCommand[]) list(`${name} ${each.name()}`, each);
  };
  const surroundings = Object.assign(new EventEmitter(), {
    env: {},
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  });
  for (const { name, load } of commands) {
    const command = new QuireCommand(surroundings, name);
    (await load())(command);
    list(`quire ${name}`, command);
  }
  return listing.subjects;
}

/** Lists the settings with their values and defaults. */
export function settingsSurface(shape: z.ZodType = configSchema): Surface {
  const listing = new Listing();
  const described = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  listSchema(listing, 'settings', { ...described, type: [] }, sent);
  const defaults = configSchema.parse({});
  for (const [name, value] of Object.entries(defaults))
    listing.add(`settings.${name}`, `default ${JSON.stringify(value)}`);
  return listing.subjects;
}

/** Lists the fields of the files in MODEL_DIR. */
export function modelSurface(shape: z.ZodType = contributedShape): Surface {
  const listing = new Listing();
  const { $defs = {}, ...described } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  listSchema(listing, 'model', described as JsonSchema, sent);
  for (const [name, definition] of Object.entries($defs))
    listSchema(listing, name, definition as JsonSchema, sent);
  return listing.subjects;
}

/** Lists the metrics with their types and labels. */
export function metricsSurface(): Surface {
  const { registry } = createMetrics({
    statementsOf: () => 0,
    jobs: async () => [],
    readServers: () => [{ name: 'replica', reads: 0, replica: { lag: 0, isUsed: true } }],
    passwordHashes: () => 0,
    memoryHeld: () => 0,
  });
  const listing = new Listing();
  for (const metric of registry.getMetricsAsArray()) {
    const {
      name,
      type,
      labelNames = [],
    } = metric as unknown as {
      readonly name: string;
      readonly type?: string;
      readonly labelNames?: readonly string[];
    };
    listing.add(name, ...(type ? [type] : []), ...labelNames.map((label) => `{${label}}`));
  }
  return listing.subjects;
}

/** The GraphQL schema without descriptions. */
export const graphqlSurface = (): string =>
  print(
    visit(parse(printSchema(lexicographicSortSchema(schema))), {
      enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
    }),
  );
