import { type GraphQLSchema, getNamedType } from 'graphql';
import { type OutputKind, resultField } from '../../automation/operation.ts';
import { type Entities, entitiesOf } from '../entities.ts';
import type { Contributed, Shape } from '../headers.ts';
import { gone } from '../inside.ts';
import { isJsonOnly, type Route } from '../route.ts';
import { type Content, contentOf, rootOf } from './answers.ts';
import { Bodies } from './bodies.ts';
import { askedBy, Components } from './components.ts';
import { errorsOf, type Traits } from './errors.ts';
import { headersOn, lists, shapeOf } from './headers.ts';
import { type Json, ref } from './json-schema.ts';
import { addressParameters, inputsOf, queryParameters } from './parameters.ts';
import { accepted, successesOf } from './responses.ts';
import type { Row } from './rows.ts';

/** What is described: the schema that REST asks, and the names that were contributed to the server. */
export interface Described {
  readonly schema: GraphQLSchema;
  readonly contributed: Contributed;
}

/** What is asked for when no header says anything. */
const plain: Shape = { depth: 1, enrichers: {}, fetch: {}, translate: {}, properties: undefined };

/** What is asked of operations that may answer anything. */
const anyResult: Route['ask'] = ({ operationResult }) =>
  operationResult(Object.keys(resultField) as OutputKind[]);

/** What any operation answers. */
const anything: Content = { 'application/json': { schema: {} }, '*/*': {} };

/** Whether it is a single document, which has an `ETag`. */
const isDocument = (content: Content): boolean =>
  JSON.stringify(content['application/json']?.schema) === JSON.stringify(ref('schemas', 'Document'));

/** Describes row after row; what they share is collected meanwhile. */
export class Describing {
  readonly components: Components;
  readonly bodies = new Bodies();
  private readonly schema: GraphQLSchema;
  private readonly plain = entitiesOf(plain);
  private readonly full: Entities;
  /** All but what one header asks for. */
  private readonly without: ReadonlyMap<string, Entities>;

  constructor({ schema, contributed }: Described) {
    this.schema = schema;
    this.components = new Components(schema);
    this.full = entitiesOf(shapeOf(contributed));
    this.without = new Map(lists.map((list) => [list, entitiesOf(shapeOf(contributed, list))]));
    for (const { inside } of [this.full, this.plain])
      for (const { document, user } of inside) {
        this.components.nested('document', document, Object.keys(gone.document('')));
        this.components.nested('user', user, Object.keys(gone.user('')));
      }
  }

  /** The lists of names that make a difference to a row; of many calls, to any of them. */
  private listsOf({ route, isOfMany }: Row): string[] {
    const ask = isOfMany && route.operation ? anyResult : route.ask;
    const all = JSON.stringify(ask(this.full));
    return [...this.without].flatMap(([list, entities]) =>
      JSON.stringify(ask(entities)) === all ? [] : [list],
    );
  }

  /** What a row answers; seen under every header, so that the schemas know what may be there. */
  private contentOf({ route, isOfMany }: Row): Content {
    const { schema, components } = this;
    contentOf(route, this.full, { schema, components });
    const content = contentOf(route, this.plain, { schema, components });
    return isOfMany && route.answer === 'result' ? anything : content;
  }

  /** The type of the field that a row asks for. */
  private typeOf(route: Route): string {
    const [[key, node] = ['', true] as const] = Object.entries(route.ask(this.plain));
    return getNamedType(rootOf(this.schema, route).getFields()[askedBy(key, node)]?.type)?.name ?? '';
  }

  private traitsOf({ route, path, isOfMany }: Row, content: Content): Traits {
    const isCall = route.operation !== undefined;
    const writes = route.kind === 'mutation' || (isCall && isOfMany);
    const isOfDocument = this.typeOf(route) === 'Document';
    const answersDocuments = isOfMany || JSON.stringify(content).includes('schemas/Document');
    return {
      isAddressed: isCall || /[:*]/.test(path),
      isGuarded: this.inputsOf(route).has('ifMatch') || (route.method === 'get' && isDocument(content)),
      isJsonOnly: !(isCall && isOfMany) && isJsonOnly(route),
      answersFiles: route.answer === 'bytes',
      takesBody: route.body !== undefined,
      writes,
      writesDocuments: writes && (isOfDocument || (isCall && answersDocuments)),
    };
  }

  private inputsOf(route: Route) {
    return new Map(inputsOf(rootOf(this.schema, route), route.ask(this.plain)));
  }

  private headersOf(row: Row, traits: Traits): Json[] {
    const { route, tag } = row;
    const relevant = this.listsOf(row);
    const on = {
      all: true,
      enriched: relevant.some((list) => /^(enrichers|fetch)/.test(list)),
      search: tag === 'Search',
      writes: traits.writes,
      documentWrites: traits.writesDocuments,
      calls: route.method !== 'get',
    };
    const kinds = new Set(Object.entries(on).flatMap(([kind, is]) => (is ? [kind] : [])));
    return [...relevant.map((list) => ref('parameters', list)), ...headersOn(kinds)];
  }

  /** One row, as an operation of OpenAPI. */
  operation(row: Row): Json {
    const { route, path, tag, operation } = row;
    const content = this.contentOf(row);
    const traits = this.traitsOf(row, content);
    const requestBody = this.bodies.of(route, operation);
    return {
      operationId: route.name,
      summary: route.summary,
      ...(route.description && { description: route.description }),
      tags: [tag],
      parameters: [
        ...addressParameters(path),
        ...queryParameters(this.inputsOf(route), route),
        ...this.headersOf(row, traits),
      ],
      ...(requestBody && { requestBody }),
      responses: { ...successesOf(route, content, isDocument(content)), ...errorsOf(traits) },
    };
  }

  /** The same row, called without waiting. */
  later(row: Row): Json {
    const { operationId, summary, responses, ...operation } = this.operation(row);
    const { 200: _, 204: __, ...errors } = responses as Record<string, Json>;
    return {
      operationId: `${operationId}Later`,
      summary: `${summary}, without waiting`,
      ...operation,
      responses: { ...accepted, ...errors },
    };
  }
}
