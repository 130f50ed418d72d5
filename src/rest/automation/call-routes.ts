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

/** The addressed document becomes the input or, for operations on blobs, a parameter. */
const addressed = ({ documentParam }: Operation, document: Arguments[string]): Arguments =>
  documentParam === undefined
    ? { input: { document } }
    : { ...sent, [argumentName(documentParam)]: document };

/** The documents of the input are in the address or in the body. */
function guardOf(operation: Operation, isAddressed: boolean): Guard | undefined {
  const { needs, documentParam } = operation;
  if (needs === undefined || documentParam !== undefined) return undefined;
  return isAddressed
    ? addressedGuard(needs)
    : { needs, documents: (_, json) => documentsInCall(operation, json) };
}

/** What the route at an address is for an operation of the server. */
function callOf(
  operation: Operation,
  { document, input: other }: CallAddress,
): Pick<Route, 'body' | 'select' | 'guard' | 'endsUploads' | 'varies' | 'kind' | 'isJson' | 'bodyForm'> {
  const takesInput = operation.takes.some((kind) => kind !== 'void');
  const isAddressed = document !== undefined;
  const named = isAddressed ? addressed(operation, document) : sent;
  const given = other ? { input: other } : named;
  const values = { ...paramsOf(operation), ...(takesInput && given), ...variables };
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

/** The entry of an operation in openapi.json, under its id; calls by other names and at other addresses share one. */
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
 * Calls a chain of the model by the name in the address. What it is called with is read when the chain is found, so the
 * call is a mutation, its answer may have any form, and no language is negotiated. An operation of the server has a route
 * of its own, made from its declaration.
 */
function callRoute(address: CallAddress): Route {
  const { at, by, summary, document, input: other, lists } = address;
  const path = `${at}/:operation`;
  const given = document === undefined ? other : { document };
  const route = post(
    path,
    chainCallBody({ readsInput: given === undefined }),
    ({ operationResult }) => ({
      callOperation: call(
        {
          name: input('address.operation'),
          ...(given ? { input: given } : sent),
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
      bodyForm: given === undefined ? 'callWithFiles' : 'call',
    },
  );
  if (lists || other?.documents) return { ...route, ...(lists && { lists }), openApiPath: path };
  const isPlain = given === undefined;
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
  { name: 'getOperation', summary: 'What an operation or a chain does and takes', openApiPath: describedAt },
);

/** §4.7: how operations and chains are described and called. */
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
 * The route that serves an operation where a row of the table serves any: undefined for names that are not those of an
 * operation, and for rows without `ofOperation`.
 * @param name an id or an alias
 */
export function operationRoute(row: Route, name: string): Route | undefined {
  const operation = row.ofOperation && operationByName(name);
  return operation && row.ofOperation?.(operation, name);
}

/** Every row, preceded by the routes of all operations by all of their names where it has some. */
export const withOperationRoutes = (rows: readonly Route[]): Route[] =>
  rows.flatMap((row) => {
    const names = row.ofOperation ? operations.flatMap(({ id, aliases = [] }) => [id, ...aliases]) : [];
    return [...names.flatMap((name) => operationRoute(row, name) ?? []), row];
  });
