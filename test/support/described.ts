import { appendFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const shared = globalThis as { seenAnswers?: Set<string> };

/**
 * Records that a response contained a described part, by appending the part to the file SEEN_ANSWERS, which `unseen.ts`
 * reads. Each worker appends a part only once.
 */
function seen(what: string): void {
  const file = process.env.SEEN_ANSWERS;
  if (!file) return;
  shared.seenAnswers ??= new Set();
  if (shared.seenAnswers.has(what)) return;
  shared.seenAnswers.add(what);
  appendFileSync(file, `${what}\n`);
}

type Json = Record<string, unknown>;

/** An operation in openapi.json. */
export interface Operation extends Json {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: ReadonlyArray<{ name?: string; in?: string; $ref?: string }>;
  readonly requestBody?: { content: Record<string, { schema?: Json }> };
  readonly responses: Readonly<
    Record<string, { $ref?: string; headers?: Json; content?: Record<string, Json> }>
  >;
}

/** The contents of openapi.json. */
export interface Description extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly servers: ReadonlyArray<{ url: string }>;
  readonly tags: ReadonlyArray<{ name: string }>;
}

/** Returns every operation with its path and method. */
export const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** Returns the value to which a pointer in the document refers. */
export const follow = (description: Description, pointer: string): unknown =>
  pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], description);

/** Returns the distinct pointers in all `$ref`s of a value. */
export const pointersIn = (value: unknown): string[] => [
  ...new Set([...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer = '']) => pointer)),
];

/** Returns a copy of the document in which schemas do not allow undescribed fields. */
function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const parts: Json = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  const isOpen = parts.type === 'object' && 'properties' in parts && !('additionalProperties' in parts);
  return (isOpen ? { ...parts, additionalProperties: false } : parts) as T;
}

const noteField = (name: string): boolean => {
  seen(name);
  return true;
};

/** Returns a copy of the components with a keyword that records which fields occur in responses. */
function noting({ schemas = {}, ...others }: Components): Components {
  const noted = Object.entries(schemas).map(([name, schema]) => {
    const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
    const properties = fields.map(([key, field]) => [key, { ...field, seen: `${name}.${key}` }]);
    return [name, fields.length > 0 ? { ...schema, properties: Object.fromEntries(properties) } : schema];
  });
  return { ...others, schemas: Object.fromEntries(noted) };
}

type Components = Description['components'];

/**
 * Returns a function that reports how a value differs from a schema. It returns undefined if the value matches. Each
 * schema is compiled only once.
 */
function validator(components: Components, adapted: (schema: Json) => Json = (schema) => schema) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addKeyword({ keyword: 'seen', validate: noteField });
  ajv.addSchema({ $id: 'openapi', ...adapted({ components }) });
  const compiled = new Map<string, ValidateFunction>();
  return (schema: unknown, value: unknown): unknown => {
    const text = JSON.stringify(schema);
    const rebased = () => JSON.parse(text.replaceAll('"#/', '"openapi#/')) as Json;
    const validate = compiled.get(text) ?? ajv.compile(adapted(rebased()));
    compiled.set(text, validate);
    return validate(value) ? undefined : validate.errors;
  };
}

/** The parts of a response that are checked. */
export interface Answered {
  readonly status: number;
  /** The media type without parameters; empty if there is none. */
  readonly type: string;
  readonly text?: string;
  readonly body?: unknown;
  /** The headers by name in lower case; if absent, headers are not checked. */
  readonly headers?: object;
}

/** Headers that HTTP or the server can add to any response. docs/requests.md describes them for all responses. */
const generalHeaders: ReadonlySet<string> = new Set(
  (
    'cache-control connection content-encoding content-length content-type date keep-alive allow ' +
    'transfer-encoding vary server-timing x-request-id x-search-delay idempotency-key ' +
    'content-security-policy cross-origin-opener-policy cross-origin-resource-policy ' +
    'origin-agent-cluster referrer-policy x-content-type-options x-dns-prefetch-control ' +
    'x-download-options x-frame-options x-permitted-cross-domain-policies x-xss-protection ' +
    'access-control-allow-origin access-control-allow-credentials access-control-expose-headers'
  ).split(' '),
);

/** The statuses that every address can return: 405 for an unsupported method, and 500 for a bug. */
const anyError: ReadonlySet<number> = new Set([405, 500]);

/**
 * Creates functions that check responses and request bodies against the description. They return the differences, or
 * undefined if there are none.
 */
export function checker(description: Description) {
  const { components } = description;
  const checkAnswer = validator(process.env.SEEN_ANSWERS ? noting(components) : components, closed);
  let checkBody: ReturnType<typeof validator> | undefined;
  const operationOf = (method: string, path: string) => {
    const operation = description.paths[path]?.[method];
    if (!operation) throw new Error(`${method} ${path} is not described`);
    return operation;
  };
  return {
    /** Checks that the status, headers, media type and body of a response are described. */
    answer: (method: string, path: string, answered: Answered): unknown => {
      const { status, type, text, body, headers = {} } = answered;
      const { responses } = operationOf(method, path);
      const isOther = 'preference-applied' in headers || (!responses[status] && anyError.has(status));
      const listed = responses[isOther ? 'default' : status];
      if (!listed) return `${status} is not described`;
      const described = (listed.$ref ? follow(description, listed.$ref) : listed) as typeof listed;
      const own = Object.keys(described.headers ?? {}).map((name) => name.toLowerCase());
      const others = Object.keys(headers).filter((name) => !generalHeaders.has(name) && !own.includes(name));
      if (others.length > 0) return `${status} has headers that are not described: ${others.sort()}`;
      const present = Object.keys(headers).filter((name) => own.includes(name));
      const { content = {} } = described;
      const mediaType = type in content ? type : '*/*';
      for (const part of ['', ...present, mediaType]) seen(`${method} ${path} ${status} ${part}`.trim());
      if (!described.content) return text ? `${status} has a body` : undefined;
      if (status === 304 || type === '') return undefined;
      const media = content[mediaType];
      if (!media) return `${type} is not described for ${status}`;
      return media.schema && type === 'application/json' ? checkAnswer(media.schema, body) : undefined;
    },
    /** Checks that a JSON body is described. */
    body: (method: string, path: string, body: unknown): unknown => {
      const media = operationOf(method, path).requestBody?.content['application/json'];
      checkBody ??= validator(components);
      return media?.schema ? checkBody(media.schema, body) : 'no JSON is described';
    },
  };
}
