import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import {
  GraphQLError,
  type GraphQLErrorOptions,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { translateDatabaseError } from '../db/errors.ts';
import {
  AppError,
  concernsOperators,
  retryAfter,
  TooLarge,
  TooManyRequests,
  Unavailable,
} from '../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../event-loop.ts';
import { JsonBudget, parseJsonOrNothing } from '../model/values/json-budget.ts';
import type { Services } from '../services.ts';
import { renderGraphiQL } from './graphiql.ts';
import { requestErrors, requestLimits } from './limits.ts';
import { executeClientOperation } from './run.ts';
import { createSubscriptions, type Subscriber } from './subscribe.ts';

export interface GraphqlRequestContext extends Subscriber {
  readonly onAnswer: (milliseconds: number) => void;
}

const welcome = `# Documents by path or by id, a page of children at a time.
{
  document(path: "/default-domain") {
    uid
    title
    children(pageSize: 10) {
      resultsCount
      entries { path type title }
    }
  }
}
`;

/**
 * The variables of an address for GraphiQL, which reads the query itself. They become part of a script of its
 * page, so they are JSON in which no tag can begin.
 */
function variablesIn(url: string): string | undefined {
  const text = new URL(url).searchParams.get('variables');
  if (text === null) return undefined;
  try {
    const variables = parseJsonOrNothing(text, 'variables');
    return JSON.stringify(variables, null, 2)?.replaceAll('<', '\\u003c');
  } catch (error) {
    if (error instanceof TooLarge) return undefined; // GraphiQL opens without them, and the query is refused
    throw error;
  }
}

function explorer(url: string) {
  const variables = variablesIn(url);
  return { title: 'Quire', defaultQuery: welcome, ...(variables !== undefined && { variables }) };
}

const refusal = (code: string, status: number, message: string, seconds?: number): GraphQLError => {
  const headers = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
  return new GraphQLError(message, { extensions: { code, http: { status, headers } } });
};

const execution = (services: Services): Plugin<GraphqlRequestContext> => ({
  onExecute: ({ args, setExecuteFn, setResultAndStopExecution }) => {
    isTurnOver(); // the reading of the variables counts
    const errors = requestErrors(args);
    if (errors.length > 0) return setResultAndStopExecution({ errors });
    const { caller, onAnswer } = args.contextValue;
    setExecuteFn(async () => {
      const start = performance.now();
      if (isTurnOver()) await yieldToEventLoop();
      const result = await executeClientOperation(services, caller, args).catch((error: unknown) => {
        throw error instanceof TooLarge ? refusal(error.code, 413, error.message) : error;
      });
      onAnswer(performance.now() - start);
      return result;
    });
  },
});

/** Subscriptions by server-sent events; the refusal of one more has a status. */
function subscriptions(services: Services, isReady: () => boolean): Plugin<GraphqlRequestContext> {
  const subscribe = createSubscriptions(services, isReady);
  return {
    onSubscribe: ({ args, setSubscribeFn, setResultAndStopExecution }) => {
      const errors = requestErrors(args);
      if (errors.length > 0) return setResultAndStopExecution({ errors });
      setSubscribeFn(() =>
        subscribe(args.contextValue, args).catch((error) => {
          if (error instanceof TooManyRequests)
            throw refusal(error.code, 429, error.message, error.retryAfter);
          if (error instanceof Unavailable) throw refusal(error.code, 503, error.message, retryAfter);
          throw error;
        }),
      );
    },
  };
}

/** @throws GraphQLError with status 413 for JSON in an address beyond the limits of JSON. */
function requireFewValues({ method, url }: Pick<Request, 'method' | 'url'>): void {
  if (method !== 'GET') return; // bodies are parsed within the limits before
  const { searchParams } = new URL(url);
  try {
    for (const name of ['variables', 'extensions'])
      new JsonBudget().spendJson(searchParams.get(name) ?? '', name);
  } catch (error) {
    throw error instanceof TooLarge ? refusal(error.code, 413, error.message) : error;
  }
}

/** Answers 413 for JSON beyond the limits, and 400 for requests that cannot be read. */
const reading: Plugin = {
  onRequestParse: ({ requestParser: parse, setRequestParser }) => {
    setRequestParser(async (given) => {
      if (!parse) throw refusal('UNSUPPORTED_MEDIA', 415, 'the body must be application/json');
      requireFewValues(given);
      try {
        return await parse(given);
      } catch (error) {
        if (error instanceof GraphQLError)
          throw refusal('INVALID', 400, 'the body is no JSON object with a query');
        throw refusal('INVALID', 400, `the request cannot be read: ${(error as Error).message}`);
      }
    });
  },
};

/** Says what there is where the client accepts nothing of it; yoga replaces it where the client does. */
const accepting: Plugin = {
  onResultProcess: ({ resultProcessor, setResultProcessor, acceptableMediaTypes }) => {
    if (resultProcessor) return;
    setResultProcessor((_, { Response }) => {
      const message = `Accept: expected ${[...new Set(acceptableMediaTypes)].join(', ')}`;
      const errors = [{ message, extensions: { code: 'NOT_ACCEPTABLE' } }];
      return Response.json({ errors }, { status: 406 });
    }, 'application/json');
  },
};

/**
 * GraphQL over HTTP: an answer of application/graphql-response+json without `data` has a status of 4xx or 5xx, which
 * yoga takes from an error. `spec` leaves application/json at 200.
 */
const failing = (statusOf: GraphqlEndpointOptions['statusOf']): Plugin => ({
  onResultProcess: ({ result }) => {
    if (Array.isArray(result) || !('errors' in result) || 'data' in result) return;
    for (const { extensions } of result.errors ?? [])
      extensions.http ??= { status: statusOf(String(extensions.code ?? 'INVALID')), spec: true };
  },
});

// Errors of Quire and of GraphQL reach the client; others are logged and answered as "Internal Server Error".
function mask(error: unknown, report: (error: unknown) => void): GraphQLError {
  const cause = translateDatabaseError(
    error instanceof GraphQLError ? (error.originalError ?? error) : error,
  );
  const place: GraphQLErrorOptions =
    error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {};
  if (concernsOperators(cause)) report(cause);
  if (cause instanceof AppError) {
    return new GraphQLError(cause.message, { ...place, extensions: cause.extensions });
  }
  if (cause instanceof GraphQLError) {
    cause.extensions.code ??= 'INVALID'; // what GraphQL says of variables, and what limits say, has none
    return cause;
  }
  report(cause);
  return new GraphQLError('Internal Server Error', {
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}

const withoutIntrospection: Plugin = {
  onValidate: ({ addValidationRule }) => addValidationRule(NoSchemaIntrospectionCustomRule),
};

export interface GraphqlEndpointOptions {
  readonly isExplorable: boolean;
  /** False ends subscriptions. */
  readonly isReady: () => boolean;
  readonly report: (error: unknown) => void;
  /** The status of a code of errors. */
  readonly statusOf: (code: string) => number;
}

/** The schema over HTTP for administrators' tools: one operation per request, within limits. */
export function createGraphqlEndpoint(
  schema: GraphQLSchema,
  services: Services,
  { isExplorable, isReady, report, statusOf }: GraphqlEndpointOptions,
) {
  return createYoga<GraphqlRequestContext>({
    schema,
    graphqlEndpoint: '*', // the application decides where it is
    landingPage: false,
    graphiql: isExplorable && ((request) => explorer(request.url)),
    renderGraphiQL, // from our own process: the default page loads it from elsewhere
    cors: false, // the guards decide: by default all origins may read, with credentials
    batching: false,
    multipart: false,
    logging: false,
    maskedErrors: { maskError: (error) => mask(error, report) },
    plugins: [
      reading,
      accepting,
      failing(statusOf),
      maxTokensPlugin({ n: requestLimits.tokens }),
      maxAliasesPlugin({ n: requestLimits.aliases }),
      ...(isExplorable ? [] : [withoutIntrospection]),
      execution(services),
      subscriptions(services, isReady),
    ],
  });
}
