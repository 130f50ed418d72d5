import { operationByName, operations } from '../../automation/index.ts';
import type { OutputKind } from '../../automation/kinds.ts';
import { argumentName, type Operation, operationFieldName, takesBlobs } from '../../automation/operation.ts';
import { outputKindsOf, resultField } from '../../automation/output-kinds.ts';
import { type Arguments, call, input } from '../../selection/selection.ts';
import { addressedGuard, type Guard } from '../rights-first.ts';
import { addressedOperation, get, post, type Route } from '../route.ts';
import { chainCallBody, documentsInCall, operationCallBody } from './bodies.ts';
import { type CallAddress, callAddresses } from './call-addresses.ts';

const sent: Arguments = { input: input('body.input') };
const variables: Arguments = { context: input('body.context') };

const paramsOf = ({ params }: Operation): Arguments =>
  Object.fromEntries(Object.keys(params).map((name) => [argumentName(name), input(`body.params.${name}`)]));

/** Passes the document in the URL as the input, or as a parameter if the operation takes blobs as its input. */
const addressed = ({ documentParam }: Operation, document: Arguments[string]): Arguments =>
  documentParam === undefined
    ? { input: { document } }
    : { ...sent, [argumentName(documentParam)]: document };

/** Returns the guard for the input documents, which are named in the URL or in the body. */
function guardOf(operation: Operation, isAddressed: boolean): Guard | undefined {
  const { needs, documentParam } = operation;
  if (needs === undefined || documentParam !== undefined) return undefined;
  return isAddressed
    ? addressedGuard(needs)
    : { needs, documents: (_, json) => documentsInCall(operation, json) };
}

/** Returns the properties of a route that depend on the called operation. */
function callOf(
  operation: Operation,
  { document, input: other }: CallAddress,
): Pick<Route, 'body' | 'select' | 'guard' | 'endsUploads' | 'varies' | 'kind' | 'isJson' | 'bodyForm'> {
  const takesInput = operation.takes.some((kind) => kind !== 'void');
  const isAddressed = document !== undefined;
  const named = isAddressed ? addressed(operation, document) : sent;
  const inputArguments = other ? { input: other } : named;
  const values = { ...paramsOf(operation), ...(takesInput && inputArguments), ...variables };
  const readsInput = takesInput && !other && (!isAddressed || operation.documentParam !== undefined);
  const outputs = outputKindsOf(operation);
  const guard = other ? undefined : guardOf(operation, isAddressed);
  return {
    body: operationCallBody(operation, { isAddressed, readsInput }),
    select: ({ operationResult }) => ({
      [operationFieldName(operation)]: call(values, operationResult(outputs)),
    }),
    ...(guard && { guard }),
    ...(other && operation.kind === 'query' && { endsUploads: true }),
    ...('lang' in operation.params && { varies: 'Accept-Language' }),
    kind: operation.kind,
    isJson: !outputs.some((kind) => kind === 'void' || kind === 'blob' || kind === 'bloblist'),
    bodyForm: takesBlobs(operation) && readsInput ? 'callWithFiles' : 'call',
  };
}

/**
 * Returns the entry in openapi.json for an operation, which is listed by its id. Calls that use an alias or another URL
 * share one entry per path.
 */
function entryOf(operation: Operation): Pick<Route, 'name' | 'summary' | 'description'> {
  const { id, label, description, aliases = [] } = operation;
  const also = aliases.length > 0 ? ` Also called ${aliases.join(', ')}.` : '';
  return {
    name: operationFieldName(operation),
    summary: `${id}: ${label}`,
    description: description + also,
  };
}

const visibility = ({ isForAdministrators }: Operation) => ({
  ...(isForAdministrators && { isHidden: true as const }),
});

const allKinds = ['void', ...Object.keys(resultField)] as readonly OutputKind[];

/**
 * Creates a route that calls the chain named in the URL. The chain's parameters are unknown until it is loaded.
 * Therefore the call is a mutation, its result can have any form, and no language is negotiated. The server's own
 * operations get separate routes from `ofOperation`.
 */
function callRoute(address: CallAddress): Route {
  const { at, by, summary, document, input: other, lists } = address;
  const path = `${at}/:operation`;
  const inputArguments = document === undefined ? other : { document };
  const route = post(
    path,
    chainCallBody({ readsInput: inputArguments === undefined }),
    ({ operationResult }) => ({
      callOperation: call(
        {
          name: input('address.operation'),
          ...(inputArguments ? { input: inputArguments } : sent),
          params: input('body.params'),
          ...variables,
        },
        operationResult(allKinds),
      ),
    }),
    {
      name: `callOperation${by}`,
      summary,
      operation: addressedOperation,
      status: 200,
      kind: 'mutation',
      answer: 'result',
      isJson: false,
      bodyForm: inputArguments === undefined ? 'callWithFiles' : 'call',
    },
  );
  if (lists || other?.documents) return { ...route, ...(lists && { lists }), openApiPath: path };
  const isPlain = inputArguments === undefined;
  return {
    ...route,
    openApiPath: path,
    ofOperation: (operation, name) => ({
      ...route,
      ...callOf(operation, address),
      ...(isPlain && name === operation.id ? entryOf(operation) : { openApiPath: path }),
      ...visibility(operation),
      path: `${at}/${name}`,
      operation: name,
    }),
  };
}

const describedAt = '/automation/:operation';

const description = get(
  describedAt,
  (show) => ({ operation: call({ id: input('address.operation') }, show.operation) }),
  {
    name: 'getOperation',
    summary: 'The description and the parameters of an operation or a chain',
    openApiPath: describedAt,
  },
);

/** §4.7: routes that describe operations and chains, and that call them. */
export const callRoutes: readonly Route[] = [
  {
    ...description,
    ofOperation: (operation, name) => ({
      ...description,
      ...visibility(operation),
      path: `/automation/${name}`,
    }),
  },
  ...callAddresses.map(callRoute),
];

/**
 * Creates the route for one of the server's operations.
 * @param name an id or an alias
 * @returns undefined if there is no such operation, or if `row` has no `ofOperation`
 */
export function operationRoute(row: Route, name: string): Route | undefined {
  const operation = row.ofOperation && operationByName(name);
  return operation && row.ofOperation?.(operation, name);
}

/**
 * Returns the given routes. Each route with `ofOperation` is preceded by the routes of all operations: one route for
 * each id or alias.
 */
export const withOperationRoutes = (rows: readonly Route[]): Route[] =>
  rows.flatMap((row) => {
    const names = row.ofOperation ? operations.flatMap(({ id, aliases = [] }) => [id, ...aliases]) : [];
    return [...names.flatMap((name) => operationRoute(row, name) ?? []), row];
  });
