import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Response } from 'supertest';

type Json = Record<string, unknown>;

/** An operation of the description. */
export interface Operation extends Json {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: ReadonlyArray<{ name?: string; in?: string; $ref?: string }>;
  readonly requestBody?: { content: Record<string, { schema?: Json }> };
  readonly responses: Readonly<Record<string, { $ref?: string; content?: Record<string, Json> }>>;
}

/** The description of the interface. */
export interface Description extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly servers: ReadonlyArray<{ url: string }>;
  readonly tags: ReadonlyArray<{ name: string }>;
}

/** Every operation with its path and method. */
export const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** Returns the target of a pointer in the document. */
export const follow = (description: Description, pointer: string): unknown =>
  pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], description);

/** Returns all referenced parts of the document. */
export const pointersIn = (value: unknown): string[] => [
  ...new Set([...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer = '']) => pointer)),
];

/** Returns the same document with schemas that allow no undescribed fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  return parts.type === 'object' && 'properties' in parts && !('additionalProperties' in parts)
    ? { ...parts, additionalProperties: false }
    : parts;
}

/** Returns a function that reports the differences of a value from a schema, or undefined. */
function validator(document: unknown) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'openapi', ...(document as Json) });
  return (schema: unknown, value: unknown): unknown => {
    const rebased: Json = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
    const validate = ajv.compile(rebased);
    return validate(value) ? undefined : validate.errors;
  };
}

/** Checks answers and bodies against the description; returns the differences, or undefined. */
export function checker(description: Description) {
  const checkAnswer = validator(closed(description));
  const checkBody = validator(description);
  const operationOf = (method: string, path: string) => {
    const operation = description.paths[path]?.[method];
    if (!operation) throw new Error(`${method} ${path} is not described`);
    return operation;
  };
  return {
    /** Checks that the status, content type and body of an answer are described. */
    answer: (method: string, path: string, response: Response): unknown => {
      const { status, type, body } = response;
      const described = operationOf(method, path).responses[status];
      if (!described) return `${status} is not described: ${response.text}`;
      const { content } = (
        described.$ref ? follow(description, described.$ref) : described
      ) as typeof described;
      if (!content) return response.text ? 'there is a body' : undefined;
      const media = content[type] ?? content['*/*'];
      if (!media) return `${type} is not described`;
      return media.schema && type === 'application/json' ? checkAnswer(media.schema, body) : undefined;
    },
    /** Checks that a JSON body is described. */
    body: (method: string, path: string, body: unknown): unknown => {
      const media = operationOf(method, path).requestBody?.content['application/json'];
      return media?.schema ? checkBody(media.schema, body) : 'no JSON is described';
    },
  };
}
