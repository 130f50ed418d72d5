import { z } from 'zod';
import type { ParamKind } from '../../automation/kinds.ts';
import { type Operation, takesBlobs } from '../../automation/operation.ts';
import type { Param } from '../../automation/params.ts';
import type { Route } from '../route.ts';
import { anyOf, type Json, ref } from './json-schema.ts';

/** What the type of a parameter in GraphQL is in JSON. */
const kinds: Readonly<Record<string, Json>> = {
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  JSON: {},
};

function kindOf({ name, graphql }: ParamKind<unknown>): Json {
  if (typeof graphql !== 'string') return { type: 'array', items: kinds[graphql[0]] };
  if (name === 'properties') return { type: 'object' };
  return name === 'date' ? { type: 'string', format: 'date-time' } : (kinds[graphql] ?? {});
}

const paramOf = ({ kind, description, default: value, values, aliases }: Param<unknown>): Json => ({
  ...kindOf(kind),
  description: description + (aliases.length > 0 ? ` Also called ${aliases.join(', ')}.` : ''),
  ...(values.length > 0 && { enum: values.map((text) => kind.read.parse(text)) }),
  ...(value !== undefined && { default: value }),
});

const context: Json = {
  type: 'object',
  description: 'What the call is made in: `currentDocument`, for operations that want one.',
};

const object = (properties: Readonly<Record<string, Json>>, required: readonly string[]): Json => ({
  ...{ type: 'object', properties },
  ...(required.length > 0 && { required }),
});

/** What inputs are, in words. */
const inputs: Readonly<Record<string, string>> = {
  void: 'nothing',
  document: 'a document: its id, its path or its entity',
  documents: 'documents: a list of ids and paths, or `docs:` and words with commas between them',
  string: 'a text',
  blob: 'a file, in a part of its own',
  bloblist: 'files, in parts of their own',
};

/** What an operation works on, in words. */
const inputOf = ({ takes, isForEach, isOneForOne }: Operation): string =>
  [
    ...takes.map((kind) => inputs[kind]),
    ...(isForEach || (isOneForOne && takes.includes('document')) ? [inputs.documents] : []),
  ].join('; or ');

/** §4.7: the call of an operation. A parameter for the document of the context may be left out. */
export function callOf(operation: Operation): Json {
  const { params, place } = operation;
  const needed = Object.keys(params).filter((name) => params[name]?.isRequired && name !== place);
  const values = Object.fromEntries(Object.entries(params).map(([name, param]) => [name, paramOf(param)]));
  return object(
    {
      input: { description: `What it works on: ${inputOf(operation)}.` },
      params: object(values, needed),
      context,
    },
    needed.length > 0 ? ['params'] : [],
  );
}

/** The call of any operation. */
export const anyCall: Json = object(
  { input: { description: 'What it works on.' }, params: { type: 'object' }, context },
  [],
);

/** The JSON of a call, and files. */
const withFiles = (schema: Json): Json => ({
  schema: {
    type: 'object',
    properties: { params: schema },
    additionalProperties: { description: 'A file that the operation works on.' },
    required: ['params'],
  },
  encoding: { params: { contentType: 'application/json' } },
});

/** One file and nothing else. */
const oneFile: Json = {
  schema: { type: 'object', properties: { file: { description: 'The file.' } }, required: ['file'] },
};

/** The schemas of bodies, by name: collected while rows are described. */
export class Bodies {
  readonly schemas: Record<string, Json> = {};

  private named(name: string, schema: Json): Json {
    this.schemas[name] = schema;
    return ref('schemas', name);
  }

  /** The schema of a shape; those with a title are kept under it. */
  private shape(shape: z.ZodType): Json {
    if (shape instanceof z.ZodUnion)
      return anyOf(shape.options.map((option) => this.shape(option as z.ZodType)));
    const { $schema: _, title, ...schema } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
    return title === undefined ? (schema as Json) : this.named(title, schema as Json);
  }

  /** The call of one operation, or of any. */
  private call(name: string, operation: Operation | undefined): Json {
    if (!operation) return this.named('OperationCall', anyCall);
    return this.named(`${name.charAt(0).toUpperCase()}${name.slice(1)}Call`, callOf(operation));
  }

  /** What a row takes, which may call an operation under its own name; nothing when it takes no body. */
  of({ body, blobs, name, ...route }: Route, operation: Operation | undefined): Json | undefined {
    if (!body) return undefined;
    if (blobs === 'file') return { required: true, content: { 'application/octet-stream': {} } };
    if (blobs === 'alone') return { required: true, content: { 'multipart/form-data': oneFile } };
    const calls = route.operation !== undefined;
    const schema = calls || !body.shape ? this.call(name, operation) : this.shape(body.shape);
    const takesFiles = calls && (!operation || takesBlobs(operation));
    return {
      required: true,
      content: {
        'application/json': { schema },
        ...(takesFiles && { 'multipart/form-data': withFiles(schema) }),
      },
    };
  }
}
