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
 * Returns the variables in a URL as JSON for GraphiQL, which itself reads only the query. The JSON is inserted into
 * an inline script, so every `<` is escaped. Otherwise a value could end the script and inject HTML.
 */
function variablesIn(url: string): string | undefined {
  const text = new URL(url).searchParams.get('variables');
  if (text === null) return undefined;
  try {
    const variables = parseJsonOrNothing(text, 'variables');
    return JSON.stringify(variables, null, 2)?.replaceAll('<', '\\u003c');
  } catch (error) {
    if (error instanceof TooLarge) return undefined; // GraphiQL opens without variables; the query itself is rejected.
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
    isTurnOver(); // This call makes the time of this turn include parsing the variables.
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

/** Runs subscriptions, which yoga sends as server-sent events. Responds with 429 or 503 if there are too many. */
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

/**
 * Checks the JSON in the query string of a GET request.
 * @throws GraphQLError with status 413 if the limits on JSON are exceeded
 */
function requireFewValues({ method, url }: Pick<Request, 'method' | 'url'>): void {
  if (method !== 'GET') return; // Bodies have already been checked during parsing.
  const { searchParams } = new URL(url);
  try {
    for (const name of ['variables', 'extensions'])
      new JsonBudget().spendJson(searchParams.get(name) ?? '', name);
  } catch (error) {
    throw error instanceof TooLarge ? refusal(error.code, 413, error.message) : error;
  }
}

/** Responds with 413 if the limits on JSON are exceeded, and with 400 to requests that cannot be parsed. */
const reading: Plugin = {
  onRequestParse: ({ requestParser: parse, setRequestParser }) => {
    setRequestParser(async (request) => {
      if (!parse) throw refusal('UNSUPPORTED_MEDIA', 415, 'The body must be application/json.');
      requireFewValues(request);
      try {
        return await parse(request);
      } catch (error) {
        if (error instanceof GraphQLError)
          throw refusal('INVALID', 400, 'The body must be a JSON object with a query.');
        throw refusal('INVALID', 400, `The request cannot be parsed: ${(error as Error).message}`);
      }
    });
  },
};

/** Responds with 406 and the available media types if the client accepts none of them. */
const accepting: Plugin = {
  onResultProcess: ({ resultProcessor, setResultProcessor, acceptableMediaTypes }) => {
    if (resultProcessor) return;
    setResultProcessor((_, { Response }) => {
      const message = `Accept must include one of ${[...new Set(acceptableMediaTypes)].join(', ')}.`;
      const errors = [{ message, extensions: { code: 'NOT_ACCEPTABLE' } }];
      return Response.json({ errors }, { status: 406 });
    }, 'application/json');
  },
};

/**
 * Sets the status of responses without `data`. For application/graphql-response+json, GraphQL over HTTP requires a 4xx
 * or 5xx status, which yoga takes from an error. For application/json, `spec: true` makes yoga respond with 200.
 */
const failing = (statusOf: GraphqlEndpointOptions['statusOf']): Plugin => ({
  onResultProcess: ({ result }) => {
    if (Array.isArray(result) || !('errors' in result) || 'data' in result) return;
    for (const { extensions } of result.errors ?? [])
      extensions.http ??= { status: statusOf(String(extensions.code ?? 'INVALID')), spec: true };
  },
});

/**
 * Masks unexpected errors: they are reported to the log, and the client receives only "Internal Server Error".
 * Other errors are sent to the client.
 */
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
    cause.extensions.code ??= 'INVALID'; // Errors of graphql-js itself have no code.
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
  /** Whether the server is ready. All subscriptions end as soon as it is no longer ready. */
  readonly isReady: () => boolean;
  readonly report: (error: unknown) => void;
  /** Returns the HTTP status of an error code. */
  readonly statusOf: (code: string) => number;
}

/** Creates the handler of /graphql, which executes one operation per request, within limits. */
export function createGraphqlEndpoint(
  schema: GraphQLSchema,
  services: Services,
  { isExplorable, isReady, report, statusOf }: GraphqlEndpointOptions,
) {
  return createYoga<GraphqlRequestContext>({
    schema,
    graphqlEndpoint: '*', // The application decides at which path the handler is mounted.
    landingPage: false,
    graphiql: isExplorable && ((request) => explorer(request.url)),
    renderGraphiQL, // the default page would load GraphiQL from a CDN
    cors: false, // handled by the guards; yoga's default lets all origins read with credentials
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
