import { GraphQLError, type GraphQLErrorOptions, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { translate } from '../db/errors.ts';
import { AppError } from '../errors.ts';
import type { Caller } from '../operation.ts';
import { executeFor, type Services } from './run.ts';

/** What the HTTP layer knows of a request to /graphql. */
export interface Visit {
  readonly caller: Caller;
  /** Where errors go that are not the caller's business. */
  readonly report: (error: unknown) => void;
}

const execution = (services: Services): Plugin<Visit> => ({
  onExecute: ({ args, setExecuteFn }) => {
    setExecuteFn(() => executeFor(services, args.contextValue.caller, args));
  },
});

/** Our own errors and GraphQL's are for the client; anything else is reported and shown as nothing in particular. */
function mask(error: unknown, report: (error: unknown) => void): GraphQLError {
  const cause = translate(error instanceof GraphQLError ? (error.originalError ?? error) : error);
  const place: GraphQLErrorOptions =
    error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {};
  if (cause instanceof AppError) {
    return new GraphQLError(cause.message, { ...place, extensions: cause.extensions });
  }
  if (cause instanceof GraphQLError) return cause;
  report(cause);
  return new GraphQLError('Internal Server Error', {
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}

/** The schema over HTTP, for administrators' tools. */
export function createGraphqlEndpoint(
  schema: GraphQLSchema,
  services: Services,
  report: (error: unknown) => void,
) {
  return createYoga<Visit>({
    schema,
    graphqlEndpoint: '*', // the application decides where it is
    landingPage: false,
    graphiql: false,
    logging: false,
    maskedErrors: { maskError: (error) => mask(error, report) },
    plugins: [execution(services)],
  });
}
