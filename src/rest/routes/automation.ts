import { operations } from '../../automation/index.ts';
import { fieldName, type Operation, outputsOf, takesBlobs } from '../../automation/operation.ts';
import { argumentName } from '../../automation/params.ts';
import { type Arguments, call, input } from '../../selection.ts';
import { callOf } from '../bodies/automation.ts';
import { blob } from '../entities/blob.ts';
import { del, get, post, type Route } from '../route.ts';

const paramsOf = ({ params }: Operation): Arguments =>
  Object.fromEntries(Object.keys(params).map((name) => [argumentName(name), input(`body.params.${name}`)]));

/** The body's own input. */
const sent: Arguments = { input: input('body.input') };

/** What the document of an address is to an operation: its input or, where that is blobs, a parameter. */
const addressed = ({ place }: Operation, document: Arguments[string]): Arguments =>
  place === undefined ? { input: { document } } : { ...sent, [argumentName(place)]: document };

/** A call of an operation at an address, which may name a document. */
function row(path: string, operation: Operation, name: string, document?: Arguments[string]): Route {
  const takesInput = operation.takes.some((kind) => kind !== 'void');
  const given = document === undefined ? sent : addressed(operation, document);
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
      status: 200,
      kind: operation.kind,
      answer: 'result',
      isJson,
      blobs: takesBlobs(operation),
      operation: name,
    },
  );
}

/** Every address of an operation: by its own name and older ones, and as an adapter of a document. */
const rowsOf = (operation: Operation): Route[] =>
  [operation.id, ...(operation.aliases ?? [])].flatMap((name) => [
    get(`/automation/${name}`, (show) => ({ operation: call({ id: operation.id }, show.operation) })),
    row(`/automation/${name}`, operation, name),
    row(`/path{/*path}/@op/${name}`, operation, name, input('path')),
    row(`/id/:id/@op/${name}`, operation, name, input('address.id')),
  ]);

const execution: Arguments = { operation: input('address.operation'), id: input('address.execution') };

/** What becomes of a call that nobody waits for, below where it was made. */
const executionsAt = (at: string): Route[] => [
  get(`${at}/@async/:execution/status`, () => ({ execution: call(execution, { isDone: true }) }), {
    answer: 'execution',
  }),
  get(`${at}/@async/:execution`, () => ({ execution: call(execution, { isDone: true, answer: true }) }), {
    answer: 'execution',
  }),
  del(`${at}/@async/:execution`, () => ({ abortExecution: call(execution) }), { aborts: true }),
];

/** §4.7 Automation: a row for each name of each operation. */
export const automation: readonly Route[] = [
  post('/automation/login', undefined, ({ login }) => ({ login }), { status: 200, kind: 'query' }),
  get(
    '/automation/files/:id',
    () => ({
      document: call({ id: input('address.id') }, { blob: call({ xpath: input('query.path') }, blob) }),
    }),
    {
      show: ['document', 'blob'],
      answer: 'bytes',
    },
  ),
  get('/automation', (show) => ({ operations: show.operations })),
  ...operations.flatMap(rowsOf),
  ...['/automation/:operation', '/path{/*path}/@op/:operation', '/id/:id/@op/:operation'].flatMap(
    executionsAt,
  ),
];
