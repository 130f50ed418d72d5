import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import {
  GraphQLError,
  type GraphQLErrorOptions,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { translate } from '../db/errors.ts';
import { AppError } from '../errors.ts';
import type { Caller } from '../operation.ts';
import { limits, objections } from './limits.ts';
import { executeFor, type Services } from './run.ts';

/** What the HTTP layer knows of a request to /graphql. */
export interface Visit {
  readonly caller: Caller;
  /** Told how long the schema took, in milliseconds. */
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

const execution = (services: Services): Plugin<Visit> => ({
  onExecute: ({ args, setExecuteFn, setResultAndStopExecution }) => {
    const errors = objections(args);
    if (errors.length > 0) return setResultAndStopExecution({ errors });
    const { caller, onAnswer } = args.contextValue;
    setExecuteFn(async () => {
      const start = performance.now();
      const result = await executeFor(services, caller, args);
      onAnswer(performance.now() - start);
      return result;
    });
  },
});

/** What the forms of another site can send, along with the credentials that a browser keeps. */
const formType = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)/i;

const refusal = (code: string, status: number, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code, http: { status } } });

/** Takes no body that a form could send; and what cannot be read, is the caller's fault. */
const reading: Plugin = {
  onRequestParse: ({ request, requestParser: parse, setRequestParser }) => {
    const isForm = formType.test(request.headers.get('content-type') ?? '');
    setRequestParser(async (given) => {
      if (!parse || (isForm && given.method !== 'GET')) {
        throw refusal('UNSUPPORTED_MEDIA', 415, 'the body must be application/json');
      }
      try {
        return await parse(given);
      } catch (error) {
        if (error instanceof GraphQLError) throw error;
        throw refusal('INVALID', 400, `the request cannot be read: ${(error as Error).message}`);
      }
    });
  },
};

/** Our own errors and GraphQL's are for the client; anything else is reported and shown as nothing in particular. */
function mask(error: unknown, report: (error: unknown) => void): GraphQLError {
  const cause = translate(error instanceof GraphQLError ? (error.originalError ?? error) : error);
  const place: GraphQLErrorOptions =
    error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {};
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

export interface Console {
  /** Whether people may look around: GraphiQL in a browser, and introspection. */
  readonly isOpen: boolean;
  /** Where errors go that are not the caller's business. */
  readonly report: (error: unknown) => void;
}

/** The schema over HTTP, for administrators' tools; one operation per request, within limits. */
export function createGraphqlEndpoint(
  schema: GraphQLSchema,
  services: Services,
  { isOpen, report }: Console,
) {
  return createYoga<Visit>({
    schema,
    graphqlEndpoint: '*', // the application decides where it is
    landingPage: false,
    graphiql: isOpen && { title: 'Quire', defaultQuery: welcome },
    renderGraphiQL, // from our own process: the default page loads it from elsewhere
    batching: false,
    multipart: false,
    logging: false,
    maskedErrors: { maskError: (error) => mask(error, report) },
    plugins: [
      reading,
      maxTokensPlugin({ n: limits.tokens }),
      maxAliasesPlugin({ n: limits.aliases }),
      ...(isOpen ? [] : [withoutIntrospection]),
      execution(services),
    ],
  });
}
