import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import stockAddress from '../../../../openapi.json?url';
import { fileHeaders } from '../../graphql/client.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Referred {
  readonly $ref?: string;
}

export interface ResponseOf extends Referred {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface OperationOf {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: ReadonlyArray<Parameter | Referred>;
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, ResponseOf>>;
  /** The HTTP status of the example response. */
  readonly 'x-example-status'?: number;
  readonly 'x-no-example'?: string;
}

/** The parts of openapi.json that the reference pages use. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationOf>>>>;
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation with its method and path. */
export interface Addressed {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationOf;
}

export const operationsIn = ({ paths }: Description): Addressed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

/** Resolves the object's `$ref`. An object without `$ref` is returned unchanged. */
export function resolved<Part extends object>({ components }: Description, part: Part & Referred): Part {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref ?? '') ?? [];
  return part.$ref === undefined ? part : (components[kind]?.[name] as Part);
}

interface SignedIn {
  readonly isSignedIn: boolean;
  readonly setSignedIn: (is: boolean) => void;
}

export const SignedInContext = createContext<SignedIn>({ isSignedIn: false, setSignedIn: () => {} });

async function read(isSignedIn: boolean): Promise<Description> {
  const own = isSignedIn ? await fetch('api/v1/openapi.json', { headers: fileHeaders() }) : undefined;
  const answer = own?.ok ? own : await fetch(stockAddress);
  return (await answer.json()) as Description;
}

/**
 * Loads the OpenAPI description of this server if the user is signed in, and otherwise that of a newly installed
 * server.
 */
export function useDescription() {
  const { isSignedIn } = useContext(SignedInContext);
  return useQuery({
    queryKey: ['description', isSignedIn],
    queryFn: () => read(isSignedIn),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
