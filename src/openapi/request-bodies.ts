import { z } from 'zod';
import { type Operation, takesBlobs } from '../automation/operation.ts';
import type { Param } from '../automation/params/param.ts';
import type { Route } from '../rest/route.ts';
import { anyOfSchemas, capitalized, type Json, objectSchema, ref } from './json-schema.ts';

const graphqlTypes: Readonly<Record<string, Json>> = {
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  JSON: {},
};

function typeOf({ name, graphql }: Param<unknown>['kind']): Json {
  if (typeof graphql !== 'string') return { type: 'array', items: graphqlTypes[graphql[0]] };
  if (name === 'properties') return { type: 'object' };
  return name === 'date' ? { type: 'string', format: 'date-time' } : (graphqlTypes[graphql] ?? {});
}

const paramSchema = ({ kind, description, default: value, values, aliases }: Param<unknown>): Json => ({
  ...typeOf(kind),
  description: description + (aliases.length > 0 ? ` Also called ${aliases.join(', ')}.` : ''),
  ...(values.length > 0 && { enum: values.map((text) => kind.read.parse(text)) }),
  ...(value !== undefined && { default: value }),
});

const inputs: Readonly<Record<string, string>> = {
  void: 'nothing',
  document: 'a document: its id, its path or its entity',
  documents: 'documents: a list of ids and paths, or `docs:` and ids and paths separated by commas',
  string: 'a text',
  bloblist: 'files, in separate parts',
};

const inputOf = ({ takes, isForEach, isOneForOne }: Operation): string =>
  [
    ...takes.map((kind) => inputs[kind]),
    ...(isForEach || (isOneForOne && takes.includes('document')) ? [inputs.documents] : []),
  ].join('; or ');

// §4.7: the schema of a call to one operation, or to any operation. The `documentParam` is optional, because the
// context can contain the document.
function operationCallSchema(operation: Operation | undefined): Json {
  const { params = {}, documentParam } = operation ?? {};
  const names = Object.keys(params);
  const optional = names.filter((name) => !params[name]?.isRequired || name === documentParam);
  const values = Object.fromEntries(names.map((name) => [name, paramSchema(params[name] as Param<unknown>)]));
  return objectSchema(
    {
      input: { description: operation ? `The input: ${inputOf(operation)}.` : 'The input.' },
      params: operation ? objectSchema(values, { optional }) : { type: 'object' },
      context: {
        type: 'object',
        description:
          'The values of variables in expressions, by name. Operations on blobs also read `currentDocument`.',
      },
    },
    { optional: ['input', 'context', ...(names.length > optional.length ? [] : ['params'])] },
  );
}

const callWithFiles = (call: Json): Json => ({
  schema: {
    ...objectSchema({ params: call }),
    additionalProperties: { description: 'A file of the input.' },
  },
  encoding: { params: { contentType: 'application/json' } },
});

const documentWithFile = (document: Json): Json => ({
  schema: objectSchema({ document, file: { description: 'The file of the document.' } }),
  encoding: { document: { contentType: 'application/json' } },
});

const singleFile: Json = { schema: objectSchema({ file: { description: 'The file.' } }) };

export class RequestBodies {
  readonly schemas: Record<string, Json> = {};

  private named(name: string, schema: Json): Json {
    this.schemas[name] = schema;
    return ref('schemas', name);
  }

  /** Converts a Zod shape to JSON Schema. If the shape has a title, it becomes a named schema. */
  private fromShape(shape: z.ZodType): Json {
    if (shape instanceof z.ZodUnion)
      return anyOfSchemas(shape.options.map((option) => this.fromShape(option as z.ZodType)));
    const { $schema: _, title, ...schema } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
    return title === undefined ? (schema as Json) : this.named(title, schema as Json);
  }

  of({ body, bodyForm, name, ...route }: Route, operation: Operation | undefined): Json | undefined {
    if (!body) return undefined;
    if (bodyForm === 'file') return { required: true, content: { 'application/octet-stream': {} } };
    if (bodyForm === 'oneFile')
      return { required: true, content: { '*/*': {}, 'multipart/form-data': singleFile } };
    const isCall = route.operation !== undefined;
    const schema =
      !isCall && body.shape
        ? this.fromShape(body.shape)
        : this.named(`${operation ? capitalized(name) : 'Operation'}Call`, operationCallSchema(operation));
    const takesFiles = isCall && (!operation || takesBlobs(operation));
    return {
      required: true,
      content: {
        'application/json': { schema },
        ...(takesFiles && { 'multipart/form-data': callWithFiles(schema) }),
        ...(bodyForm === 'jsonWithFile' && { 'multipart/form-data': documentWithFile(schema) }),
      },
    };
  }
}
