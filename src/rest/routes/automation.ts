import { operations } from '../../automation/index.ts';
import { fieldName, type Operation, outputsOf, takesBlobs } from '../../automation/operation.ts';
import { argumentName } from '../../automation/params.ts';
import { type Arguments, call, input } from '../../selection.ts';
import { callOf } from '../bodies/automation.ts';
import { blob } from '../entities/blob.ts';
import { del, get, type Options, post, type Route } from '../route.ts';

const paramsOf = ({ params }: Operation): Arguments =>
  Object.fromEntries(Object.keys(params).map((name) => [argumentName(name), input(`body.params.${name}`)]));

/** The body's own input. */
const sent: Arguments = { input: input('body.input') };

/** What the document of an address is to an operation: its input or, where that is blobs, a parameter. */
const addressed = ({ place }: Operation, document: Arguments[string]): Arguments =>
  place === undefined ? { input: { document } } : { ...sent, [argumentName(place)]: document };

/** What is told of every row of an operation. */
const told = ({ isForAdministrators }: Operation) => ({
  ...(isForAdministrators && { isForAdministrators }),
});

/** Where an operation is called, and how rows alike are told of together. */
interface At extends Pick<Options, 'name' | 'summary' | 'description' | 'alike'> {
  readonly path: string;
  /** Its name there. */
  readonly operation: string;
  /** What of the address names a document, if anything does. */
  readonly document?: Arguments[string];
  /** What of the address names files of a batch, if anything does. */
  readonly upload?: Arguments;
}

/** A call of an operation at an address, which may name a document, or files. */
function row(operation: Operation, { path, document, upload, ...at }: At): Route {
  const takesInput = operation.takes.some((kind) => kind !== 'void');
  const named = document === undefined ? sent : addressed(operation, document);
  const given = upload ? { input: { upload } } : named;
  const outputs = outputsOf(operation);
  const isJson = !outputs.some((kind) => kind === 'void' || kind === 'blob' || kind === 'bloblist');
  const values = { ...paramsOf(operation), ...(takesInput && given) };
  return post(
    path,
    callOf(operation, document !== undefined),
    ({ operationResult }) => ({
      [fieldName(operation)]: call(values, operationResult(outputs)),
    }),
    {
      ...at,
      ...told(operation),
      status: 200,
      kind: operation.kind,
      answer: 'result',
      isJson,
      blobs: upload === undefined && takesBlobs(operation),
    },
  );
}

/** Where rows stand for those of all operations. */
const anyOperation = '/automation/:operation';

/** What tells of an operation at one of its names. */
const description = (operation: Operation, name: string): Route =>
  get(`/automation/${name}`, (show) => ({ operation: call({ id: operation.id }, show.operation) }), {
    ...told(operation),
    name: 'getOperation',
    summary: 'What an operation does and takes',
    alike: anyOperation,
  });

/** An operation by its own name. */
function byId(operation: Operation): Route {
  const { id, label, description: text, aliases = [] } = operation;
  const also = aliases.length > 0 ? ` Also called ${aliases.join(', ')}.` : '';
  return row(operation, {
    ...{ path: `/automation/${id}`, operation: id, name: fieldName(operation) },
    ...{ summary: `${id}: ${label}`, description: text + also },
  });
}

/** By an older name of it. */
const byAlias = (operation: Operation, alias: string): Route =>
  row(operation, {
    ...{ path: `/automation/${alias}`, operation: alias, alike: anyOperation, name: 'callOperation' },
    summary: 'Call an operation by a name, older ones included',
  });

/** As adapters of documents. */
const adapters = [
  { at: '/path{/*path}/@op', by: 'Path', document: input('path') },
  { at: '/id/:id/@op', by: 'Id', document: input('address.id') },
];

const asAdapter = (operation: Operation, name: string): Route[] =>
  adapters.map(({ at, by, document }) =>
    row(operation, {
      ...{ path: `${at}/${name}`, operation: name, document, alike: `${at}/:operation` },
      ...{ name: `callOperationBy${by}`, summary: 'Call an operation with a document as its input' },
    }),
  );

const batch = { batch: input('address.batch') };

/** On files of a batch. */
const uploads = [
  { at: '/upload/:batch/execute', by: 'Batch', of: 'all files', upload: batch },
  {
    ...{ at: '/upload/:batch/:file/execute', by: 'File', of: 'a file' },
    upload: { ...batch, file: input('address.file') },
  },
];

const onUpload = (operation: Operation, name: string): Route[] =>
  uploads.map(({ at, by, of, upload }) =>
    row(operation, {
      ...{ path: `${at}/${name}`, operation: name, upload, alike: `${at}/:operation` },
      ...{ name: `callOperationOn${by}`, summary: `Call an operation with ${of} of a batch as its input` },
    }),
  );

/** Every address of an operation: by its own name and older ones, as an adapter of a document, and on uploads. */
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

/** What becomes of a call that nobody waits for, below where it was made. */
const executionsAt = ({ at, by }: { at: string; by: string }): Route[] => [
  get(`${at}/:operation/@async/:execution/status`, () => ({ execution: call(execution, { isDone: true }) }), {
    name: `getExecutionStatus${by}`,
    summary: 'Whether an execution is under way',
    answer: 'execution',
  }),
  get(
    `${at}/:operation/@async/:execution`,
    () => ({ execution: call(execution, { isDone: true, answer: true }) }),
    {
      name: `getExecution${by}`,
      summary: 'What an execution answers, as the call would have',
      answer: 'execution',
    },
  ),
  del(`${at}/:operation/@async/:execution`, () => ({ abortExecution: call(execution) }), {
    name: `abortExecution${by}`,
    summary: 'Abort an execution, or forget what came of it',
    aborts: true,
  }),
];

/** §4.7 Automation: a row for each name of each operation. */
export const automation: readonly Route[] = [
  post('/automation/login', undefined, ({ login }) => ({ login }), {
    name: 'login',
    summary: 'Who the caller is, for clients that want to know whether their credentials are right',
    ...{ status: 200, kind: 'query' },
  }),
  get(
    '/automation/files/:id',
    () => ({
      document: call({ id: input('address.id') }, { blob: call({ xpath: input('query.path') }, blob) }),
    }),
    {
      name: 'getFile',
      summary: 'The bytes of a file of a document',
      ...{ show: ['document', 'blob'], answer: 'bytes' },
    },
  ),
  get('/automation', (show) => ({ operations: show.operations }), {
    name: 'getOperations',
    summary: 'All operations, with what they do and take',
  }),
  ...operations.flatMap(rowsOf),
  ...[
    { at: '/automation', by: '' },
    ...adapters.map(({ at, by }) => ({ at, by: `By${by}` })),
    ...uploads.map(({ at, by }) => ({ at, by: `On${by}` })),
  ].flatMap(executionsAt),
];
