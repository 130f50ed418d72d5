import { operations } from '../../automation/index.ts';
import { argumentName, type Operation, operationFieldName, takesBlobs } from '../../automation/operation.ts';
import { outputKindsOf } from '../../automation/output-kinds.ts';
import { type Arguments, call, input } from '../../selection/selection.ts';
import { blobSelection } from '../blobs/entities.ts';
import { addressedGuard, type Guard } from '../rights-first.ts';
import { del, get, post, type Route, type RouteOptions } from '../route.ts';
import { addressedRoutes } from './addressed-routes.ts';
import { adapters, anyOperation, operationTexts, sent, uploads, variables } from './addresses.ts';
import { documentsInCall, operationCallBody } from './bodies.ts';
import { listOperationRoutes, operatedLists } from './list-routes.ts';

const paramsOf = ({ params }: Operation): Arguments =>
  Object.fromEntries(Object.keys(params).map((name) => [argumentName(name), input(`body.params.${name}`)]));

/** The addressed document becomes the input or, for operations on blobs, a parameter. */
const addressed = ({ documentParam }: Operation, document: Arguments[string]): Arguments =>
  documentParam === undefined
    ? { input: { document } }
    : { ...sent, [argumentName(documentParam)]: document };

const visibility = ({ isForAdministrators }: Operation) => ({
  ...(isForAdministrators && { isHidden: true as const }),
});

/** The documents of the input are in the address or in the body. */
function guardOf(
  operation: Operation,
  { isAddressed }: { readonly isAddressed: boolean },
): Guard | undefined {
  const { needs, documentParam } = operation;
  if (needs === undefined || documentParam !== undefined) return undefined;
  return isAddressed
    ? addressedGuard(needs)
    : { needs, documents: (_, json) => documentsInCall(operation, json) };
}

interface At extends Pick<RouteOptions, 'name' | 'summary' | 'description' | 'openApiPath'> {
  readonly path: string;
  readonly operation: string;
  readonly document?: Arguments[string];
  readonly upload?: Arguments;
}

function operationRow(operation: Operation, { path, document, upload, ...at }: At): Route {
  const takesInput = operation.takes.some((kind) => kind !== 'void');
  const named = document === undefined ? sent : addressed(operation, document);
  const given = upload ? { input: { upload } } : named;
  const isAddressed = document !== undefined;
  const readsInput = takesInput && !upload && (!isAddressed || operation.documentParam !== undefined);
  const outputs = outputKindsOf(operation);
  const guard = upload ? undefined : guardOf(operation, { isAddressed });
  const isJson = !outputs.some((kind) => kind === 'void' || kind === 'blob' || kind === 'bloblist');
  const values = { ...paramsOf(operation), ...(takesInput && given), ...variables };
  return post(
    path,
    operationCallBody(operation, { isAddressed, readsInput }),
    ({ operationResult }) => ({
      [operationFieldName(operation)]: call(values, operationResult(outputs)),
    }),
    {
      ...at,
      ...visibility(operation),
      ...(guard && { guard }),
      ...(upload && operation.kind === 'query' && { endsUploads: true }),
      ...('lang' in operation.params && { varies: 'Accept-Language' }),
      status: 200,
      kind: operation.kind,
      answer: 'result',
      isJson,
      bodyForm: takesBlobs(operation) && readsInput ? 'callWithFiles' : 'call',
    },
  );
}

const description = (operation: Operation, name: string): Route =>
  get(`/automation/${name}`, (show) => ({ operation: call({ id: operation.id }, show.operation) }), {
    ...visibility(operation),
    ...operationTexts.description,
    openApiPath: anyOperation,
  });

function byId(operation: Operation): Route {
  const { id, label, description: text, aliases = [] } = operation;
  const also = aliases.length > 0 ? ` Also called ${aliases.join(', ')}.` : '';
  return operationRow(operation, {
    path: `/automation/${id}`,
    operation: id,
    name: operationFieldName(operation),
    summary: `${id}: ${label}`,
    description: text + also,
  });
}

const byAlias = (operation: Operation, alias: string): Route =>
  operationRow(operation, {
    path: `/automation/${alias}`,
    operation: alias,
    openApiPath: anyOperation,
    ...operationTexts.call,
  });

const asAdapter = (operation: Operation, name: string): Route[] =>
  adapters.map(({ at, by, named }) =>
    operationRow(operation, {
      path: `${at}/${name}`,
      operation: name,
      document: named,
      openApiPath: `${at}/:operation`,
      ...operationTexts.adapter(by),
    }),
  );

const onUpload = (operation: Operation, name: string): Route[] =>
  uploads.map(({ at, by, of, upload }) =>
    operationRow(operation, {
      path: `${at}/${name}`,
      operation: name,
      upload,
      openApiPath: `${at}/:operation`,
      ...operationTexts.upload(by, of),
    }),
  );

function rowsOf(operation: Operation): Route[] {
  const { id, aliases = [] } = operation;
  const names = [id, ...aliases];
  return [
    ...names.map((name) => description(operation, name)),
    byId(operation),
    ...aliases.map((alias) => byAlias(operation, alias)),
    ...names.flatMap((name) => [...asAdapter(operation, name), ...onUpload(operation, name)]),
  ];
}

const execution: Arguments = { operation: input('address.operation'), id: input('address.execution') };

const executionsAt = ({ at, by }: { at: string; by: string }): Route[] => [
  get(
    `${at}/:operation/@async/:execution/status`,
    ({ bulkStatus }) => ({ execution: call(execution, { isDone: true, bulkStatus }) }),
    {
      name: `getExecutionStatus${by}`,
      summary: 'Whether an execution is under way, or how far the bulk action is that it has begun',
      answer: 'execution',
    },
  ),
  get(
    `${at}/:operation/@async/:execution`,
    ({ bulkStatus }) => ({ execution: call(execution, { isDone: true, answer: true, bulkStatus }) }),
    {
      name: `getExecution${by}`,
      summary: 'What an execution answers, as the call would have',
      answer: 'execution',
    },
  ),
  del(`${at}/:operation/@async/:execution`, () => ({ abortExecution: call(execution) }), {
    name: `abortExecution${by}`,
    summary: 'Abort an execution, or forget what came of it',
    kind: 'outsideTransaction', // the execution is aborted even if the answer cannot be made
  }),
];

/** §4.7: a route for each name of each operation. */
export const automationRoutes: readonly Route[] = [
  post('/automation/login', undefined, ({ login }) => ({ login }), {
    name: 'login',
    summary: 'Who the caller is, for clients that want to know whether their credentials are right',
    status: 200,
    kind: 'query',
  }),
  get(
    '/automation/files/:id',
    () => ({
      document: call(
        { id: input('address.id') },
        { blob: call({ xpath: input('query.path') }, blobSelection) },
      ),
    }),
    {
      name: 'getFile',
      summary: 'The bytes of a file of a document',
      resultPath: ['document', 'blob'],
      answer: 'bytes',
    },
  ),
  get('/automation', (show) => ({ operations: show.operations }), {
    name: 'getOperations',
    summary: 'All operations, with what they do and take',
  }),
  ...operations.flatMap(rowsOf),
  ...addressedRoutes,
  ...listOperationRoutes,
  ...[
    { at: '/automation', by: '' },
    ...adapters.map(({ at, by }) => ({ at, by: `By${by}` })),
    ...uploads.map(({ at, by }) => ({ at, by: `On${by}` })),
    ...operatedLists,
  ].flatMap(executionsAt),
];
