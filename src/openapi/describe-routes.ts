import { type GraphQLSchema, getNamedType } from 'graphql';
import { calledParams } from '../automation/chains/called.ts';
import type { OutputKind } from '../automation/kinds.ts';
import type { Operation } from '../automation/operation.ts';
import { resultField } from '../automation/output-kinds.ts';
import { deprecations } from '../deprecations.ts';
import { missingEntity } from '../rest/answer/nested-entities.ts';
import { type Entities, entitiesOf } from '../rest/entities.ts';
import type { ContributedNames, ResponseShape } from '../rest/request/headers.ts';
import { isJsonOnly, type Route } from '../rest/route.ts';
import type { Trait } from '../rest/route-traits.ts';
import { deprecated } from './deprecated.ts';
import { EntitySchemas, selectedField } from './entity-schemas.ts';
import { errorResponsesOf } from './errors.ts';
import { fixedHeaderRefs, fullShape, listHeaders } from './headers.ts';
import { type Json, ref } from './json-schema.ts';
import { addressParameters, inputsOfSelection, requestParameters } from './parameters.ts';
import { RequestBodies } from './request-bodies.ts';
import {
  acceptedResponse,
  anyContent,
  hasDocument,
  isOutcome,
  type ResponseContent,
  responseContentOf,
  rootOf,
  successResponsesOf,
} from './responses.ts';

export interface OpenApiSource {
  readonly schema: GraphQLSchema;
  readonly contributed: ContributedNames;
}

/**
 * An entry of the OpenAPI description. It describes one route or, if `isShared`, all routes with the same shape. If
 * `isShared`, `route` is the last of these routes.
 */
export interface DescribedRoute {
  readonly route: Route;
  readonly path: string;
  readonly tag: string;
  readonly isSearch: boolean;
  readonly operation: Operation | undefined;
  readonly isShared: boolean;
}

/** The response shape for requests without any of the headers that affect it. */
const plainShape: ResponseShape = {
  depth: 1,
  enrichers: {},
  fetch: {},
  translate: {},
  properties: undefined,
};

const selectAnyResult: Route['select'] = ({ operationResult }) =>
  operationResult(Object.keys(resultField) as OutputKind[]);

const hasState = (content: ResponseContent): boolean => hasDocument(content) || '*/*' in content;

/** Whether the body or the response can be a file. */
const handlesFiles = ({ bodyForm }: Route, content: ResponseContent): boolean =>
  '*/*' in content || ['callWithFiles', 'oneFile', 'file', 'jsonWithFile'].includes(bodyForm);

/**
 * Whether a call can get a 501, because the operation, or one that it calls by name, is known but not implemented.
 */
const mayBeNotServed = (operation: Operation | undefined): boolean =>
  operation?.isNotServed === true || operation?.params.id === calledParams.id;

/**
 * Adds the traits that any operation can have, because an execution responds in the same way as the operation call that
 * it runs.
 */
const outcomeTraits = (own: ReadonlySet<Trait>): ReadonlySet<Trait> =>
  new Set<Trait>([
    ...own,
    'guarded',
    'needsPrograms',
    'notServed',
    'storesBytes',
    'takesReferences',
    'writes',
  ]);

/** Serializes a selection together with the selections of the nested entities that it can contain. */
function withNested(selected: string, { nested }: Entities): string {
  const shown = new Map([['', selected]]);
  for (const text of shown.values())
    for (const kind of ['document', 'user'] as const)
      if (text.includes(`"nested":"${kind}"`))
        shown.set(kind, JSON.stringify(nested.map((level) => level[kind])));
  return [...shown.values()].join();
}

export class RouteDescriber {
  readonly entitySchemas: EntitySchemas;
  readonly bodies = new RequestBodies();
  readonly schema: GraphQLSchema;
  private readonly plain = entitiesOf(plainShape);
  private readonly full: Entities;
  /**
   * For each header that lists names, the entities in the responses to requests that contain all names in all other
   * such headers.
   */
  private readonly fullWithout: ReadonlyMap<string, Entities>;

  constructor({ schema, contributed }: OpenApiSource) {
    this.schema = schema;
    this.entitySchemas = new EntitySchemas(schema);
    this.full = entitiesOf(fullShape(contributed));
    this.fullWithout = new Map(
      listHeaders.map((header) => [header, entitiesOf(fullShape(contributed, header))]),
    );
    for (const { nested } of [this.full, this.plain])
      for (const { document, user } of nested) {
        this.entitySchemas.addNested('document', document, Object.keys(missingEntity.document('')));
        this.entitySchemas.addNested('user', user, Object.keys(missingEntity.user('')));
      }
  }

  private listHeadersOf({ route, isShared }: DescribedRoute): string[] {
    const select = isShared && route.operation ? selectAnyResult : route.select;
    const shownOf = (entities: Entities) => withNested(JSON.stringify(select(entities)), entities);
    const full = shownOf(this.full);
    return [...this.fullWithout].flatMap(([header, entities]) =>
      shownOf(entities) === full ? [] : [header],
    );
  }

  /**
   * Returns the content of the responses to requests without any of the headers that shape responses. Also registers
   * the fields that these headers add to the entities; such fields become optional.
   */
  private contentOf({ route, isShared, operation }: DescribedRoute): ResponseContent {
    responseContentOf(route, this.full, this);
    const content = responseContentOf(route, this.plain, this);
    const isAny = isShared || operation?.gives === 'object';
    return isAny && route.answer === 'result' ? anyContent : content;
  }

  private inputsOf(route: Route) {
    return new Map(inputsOfSelection(rootOf(this.schema, route), route.select(this.plain)));
  }

  private traitsOf(
    { route, path, isSearch, operation, isShared }: DescribedRoute,
    content: ResponseContent,
    lists: readonly string[],
  ): ReadonlySet<Trait> {
    const isCall = route.operation !== undefined;
    const isSharedCall = isCall && isShared;
    const writes = route.kind !== 'query' || isSharedCall;
    const [[key, node] = ['', true] as const] = Object.entries(route.select(this.plain));
    const field = selectedField(rootOf(this.schema, route), key, node);
    const isOfDocument = getNamedType(field?.type)?.name === 'Document';
    const answersDocuments = isShared || JSON.stringify(content).includes('schemas/Document');
    const documentWrites = writes && (isOfDocument || (isCall && answersDocuments));
    const takesBody = route.body !== undefined;
    const needsPrograms = route.needsPrograms === true || operation?.needsPrograms === true;
    const traits: Readonly<Record<Trait, boolean>> = {
      all: true,
      answersJsonOnly: isSharedCall || isJsonOnly(route),
      calls: route.method !== 'get',
      documentWrites,
      enriched: lists.some((header) => /^(enrichers|fetch)/.test(header)),
      guarded: this.inputsOf(route).has('ifMatch') || (route.method === 'get' && hasState(content)),
      needsPrograms,
      notServed: /:operation(?!.*:execution)/.test(path) || mayBeNotServed(operation),
      search: isSearch,
      storesBytes: needsPrograms || (takesBody && (answersDocuments || handlesFiles(route, content))),
      takesBody,
      takesReferences: takesBody && !documentWrites,
      writes,
    };
    return new Set(Object.entries(traits).flatMap(([trait, applies]) => (applies ? [trait as Trait] : [])));
  }

  describe(described: DescribedRoute): Json {
    const { route, path, tag, operation } = described;
    const content = this.contentOf(described);
    const lists = this.listHeadersOf(described);
    const traits = this.traitsOf(described, content, lists);
    const requestBody = this.bodies.of(route, operation);
    const { description, ...marked } = deprecated(route.description, deprecations.calls[route.name]);
    return {
      operationId: route.name,
      summary: route.summary,
      ...(description && { description }),
      ...marked,
      tags: [tag],
      parameters: [
        ...addressParameters(path, route.pathParameters),
        ...requestParameters(this.inputsOf(route), route),
        ...lists.map((header) => ref('parameters', header)),
        ...fixedHeaderRefs(traits),
      ],
      ...(requestBody && { requestBody }),
      responses: {
        ...(!operation?.isNotServed && successResponsesOf(route, content)),
        ...errorResponsesOf(isOutcome(route, content) ? outcomeTraits(traits) : traits),
      },
    };
  }

  describeAsync(described: DescribedRoute): Json {
    const { operationId, summary, responses, ...operation } = this.describe(described);
    const { 200: _, 204: __, ...errors } = responses as Record<string, Json>;
    return {
      operationId: `${operationId}Later`,
      summary: `${summary}, asynchronously`,
      ...operation,
      responses: { ...acceptedResponse, ...errors },
    };
  }
}
