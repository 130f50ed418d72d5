import type { Request } from 'express';
import type { GraphQLSchema } from 'graphql';
import { baseUrlOf } from '../http/caller.ts';
import type { ParseJsonOf } from '../http/json-body.ts';
import { type Forms, formsOf } from '../selection/compatibility.ts';
import type { Run } from '../selection/run.ts';
import type { Services } from '../services.ts';
import { contributedNames, contributedNamesForGuests } from './contributed-names.ts';
import type { ContributedNames } from './request/headers.ts';

/**
 * The dependencies of the REST layer. REST reads and writes only through the GraphQL schema, so it has neither a
 * database nor a search index.
 */
export interface Facade {
  readonly services: Pick<Services, 'blobs' | 'config' | 'journal' | 'model'>;
  readonly schema: GraphQLSchema;
  readonly run: Run;
  readonly parseJsonOf: ParseJsonOf;
  readonly contributed: ContributedNames;
  /** The names that guests can use in headers such as `enrichers.document`. */
  readonly contributedForGuests: ContributedNames;
  readonly forms: Forms;
  /** The names of directory fields whose values are never shown. */
  readonly secretFields: ReadonlySet<string>;
  /** Returns the URL of `/api/v1` from the client's point of view. */
  readonly baseUrlOf: (request: Request) => string;
}

/** Creates the façade, which contains everything that REST requests need from the settings and the model. */
export const createFacade = (
  services: Facade['services'],
  parts: Pick<Facade, 'schema' | 'run' | 'parseJsonOf'>,
): Facade => ({
  ...parts,
  services,
  contributed: contributedNames(services.model),
  contributedForGuests: contributedNamesForGuests(services.model),
  forms: formsOf(services.config.COMPATIBILITY),
  secretFields: new Set([...services.model.directories.values()].flatMap(({ secrets }) => [...secrets])),
  baseUrlOf: baseUrlOf(services.config),
});
