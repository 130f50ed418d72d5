import {
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
} from 'graphql';
import type { Entities } from '../rest/entities.ts';
import type { Route } from '../rest/route.ts';
import type { Selection, SelectionNode } from '../selection/selection.ts';
import { fileHeaderNames, type HeaderName, headerRefs } from './answer-headers.ts';
import { type EntitySchemas, selectedField, selectionOf } from './entity-schemas.ts';
import { anyOfSchemas, type Json, ref, textSchema } from './json-schema.ts';

const document = ref('schemas', 'Document');

export type ResponseContent = Readonly<Record<string, Json>>;

const json = (schema: Json): ResponseContent => ({ 'application/json': { schema } });
const bytes: ResponseContent = { '*/*': {} };
const text = (schema: Json = textSchema): ResponseContent => ({ 'text/plain': { schema } });

export const anyContent: ResponseContent = { ...json({}), ...bytes };

const runningText: Json = { type: 'string', const: 'RUNNING' };

/** The response while an execution, or a bulk action that it has started, is still running. */
const running: ResponseContent = {
  ...text(runningText),
  ...json(anyOfSchemas([runningText, ref('schemas', 'BulkStatus')])),
};

/** Whether a route responds with the result of an execution rather than only its state. */
export const isOutcome = ({ answer }: Pick<Route, 'answer'>, content: ResponseContent): boolean =>
  answer === 'execution' && '*/*' in content;

export function rootOf(schema: GraphQLSchema, { kind }: Route): GraphQLObjectType {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (!root) throw new Error(`the schema has no ${kind}`);
  return root;
}

/** Returns the field at a path of response keys, starting from `parent`. */
function fieldAt(
  parent: GraphQLObjectType,
  selection: Selection,
  [key = '', ...rest]: readonly string[],
): { key: string; node: SelectionNode; type: GraphQLOutputType } {
  const node = selection[key] ?? true;
  const type = selectedField(parent, key, node)?.type;
  if (!type) throw new Error(`${parent.name} has no field ${key}`);
  if (rest.length === 0) return { key, node, type };
  return fieldAt(getNamedType(type) as GraphQLObjectType, selectionOf(node) ?? {}, rest);
}

/** The content of an operation's result: one of the selected fields of `OperationResult`. */
function resultContent(
  type: GraphQLObjectType,
  { kind: _, blob, blobs, ...entities }: Selection,
  schemas: EntitySchemas,
): ResponseContent {
  const alternatives = schemas.alternatives(type, entities);
  return {
    ...(alternatives.length > 0 && json(anyOfSchemas(alternatives))),
    ...(blob && bytes),
    ...(blobs && { 'multipart/mixed': {} }),
  };
}

/** Makes a type non-null. Where GraphQL returns null, REST responds with 404 or 204. */
const present = (type: GraphQLOutputType): GraphQLOutputType => new GraphQLNonNull(getNullableType(type));

/** The content of successful responses by media type; empty if they have no body. */
export function responseContentOf(
  route: Route,
  entities: Entities,
  { schema, entitySchemas }: { schema: GraphQLSchema; entitySchemas: EntitySchemas },
): ResponseContent {
  const selection = route.select(entities);
  const path = route.resultPath ?? Object.keys(selection).slice(0, 1);
  const { key, node, type } = fieldAt(rootOf(schema, route), selection, path);
  switch (route.answer) {
    case 'bytes':
      return bytes;
    case 'text':
      return text();
    case 'page':
      return { 'text/html': { schema: textSchema } };
    case 'conversion': {
      const scheduled = fieldAt(rootOf(schema, route), selection, [...path, 'scheduled']);
      return {
        ...json(entitySchemas.valueSchema(present(scheduled.type), scheduled.key, scheduled.node)),
        ...bytes,
      };
    }
    case 'execution':
      return 'answer' in (selectionOf(node) ?? {}) ? anyContent : running;
    case 'result':
      return resultContent(getNamedType(type) as GraphQLObjectType, selectionOf(node) ?? {}, entitySchemas);
    case 'entity':
      if (route.status === 204) return {};
      return {
        ...json(entitySchemas.valueSchema(present(type), key, node)),
        ...(route.csv && { 'text/csv': { schema: textSchema } }),
      };
  }
}

const response = (description: string, content: ResponseContent = {}, headers?: Json): Json => ({
  description,
  ...(headers && Object.keys(headers).length > 0 && { headers }),
  ...(Object.keys(content).length > 0 && { content }),
});

function emptyReasonsOf(route: Route, content: ResponseContent): string[] {
  const { absentStatus, alternative, method, answer } = route;
  return [
    ...(alternative?.status === 204 ? [alternative.description] : []),
    ...(absentStatus ? ['There is no resource with this name.'] : []),
    ...(answer === 'result' || isOutcome(route, content) ? ['The operation has no output.'] : []),
    ...(method === 'get' ? [] : ['`X-SvcVoidOperation` requests an empty response.']),
  ];
}

const statusDescriptions: Readonly<Record<Route['status'], string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. The work continues in the background.',
  204: 'Success, without a body.',
};

/** Whether a response is or can be a single document. */
export const hasDocument = (content: ResponseContent): boolean => {
  const { schema } = (content['application/json'] ?? {}) as { schema?: Json };
  const parts = [schema, ...((schema?.anyOf as Json[] | undefined) ?? [])];
  return parts.some((part) => part && (part.$ref === document.$ref || Object.keys(part).length === 0));
};

export function successResponsesOf(route: Route, content: ResponseContent): Record<string, Json> {
  const { answer, alternative, status, method } = route;
  const emptyReasons = emptyReasonsOf(route, content);
  const isVoid = answer === 'result' && Object.keys(content).length === 0;
  const tags: HeaderName[] = hasDocument(content) ? ['ETag'] : [];
  const ofFile: readonly HeaderName[] = '*/*' in content ? fileHeaderNames : [];
  const created: HeaderName[] = status === 201 ? ['Location'] : [];
  const warned: HeaderName[] = route.body?.warning ? ['Warning'] : [];
  const own = headerRefs([...new Set([...tags, ...ofFile, ...created, ...warned])]);
  const readsFile = method === 'get' && ofFile.length > 0;
  return {
    ...(emptyReasons.length > 0 && {
      204: response(emptyReasons.join(' '), {}, headerRefs([...tags, ...warned])),
    }),
    ...(!isVoid && { [status]: response(statusDescriptions[status], content, own) }),
    ...(alternative?.status === 202 && {
      202: response(alternative.description, content, alternative.location ? headerRefs(['Location']) : own),
    }),
    ...(isOutcome(route, content) && { 202: response('The execution is running.', running) }),
    ...(answer === 'execution' && {
      303: response(
        isOutcome(route, content)
          ? 'The bulk action that the execution started has produced a file, which is available at another URL.'
          : 'The execution has ended. Its result is available at another URL.',
        {},
        headerRefs(['Location']),
      ),
    }),
    ...(readsFile && {
      206: response('The range of bytes.', bytes, { ...own, ...headerRefs(['Content-Range']) }),
    }),
    ...(readsFile && {
      302: response('The bytes are served by the blob store.', {}, headerRefs(['Location'])),
    }),
    ...(method === 'get' &&
      (tags.length > 0 || ofFile.length > 0) && {
        304: response('`If-None-Match` contains the current state.', {}, own),
      }),
  };
}

export const acceptedResponse: Json = {
  202: response('The execution has started.', {}, headerRefs(['Location'])),
};
