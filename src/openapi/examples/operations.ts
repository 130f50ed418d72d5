import { operationByName, operations } from '../../automation/index.ts';
import { type Operation, operationFieldName } from '../../automation/operation.ts';
import type { Example, Examples, Step } from './example.ts';
import { report, workspaces } from './places.ts';
import { batch } from './uploads.ts';

interface At {
  /** The suffix of the routes' names. */
  readonly by: string;
  readonly parameters: NonNullable<Example['parameters']>;
  readonly body?: object;
  readonly before?: Example['before'];
}

const lock = { operation: 'Document.Subscribe' };
const [path, id] = [{ path: workspaces }, { id: '{workspaces}' }];
const found = { pageSize: 2 };
const name = 'default_search';

/** The URLs at which an operation can be called. `by` is the suffix of the corresponding route name. */
const addresses: readonly At[] = [
  { by: '', parameters: lock, body: { input: `/${report}` } },
  { by: 'ByPath', parameters: { ...lock, path: report } },
  { by: 'ById', parameters: { ...lock, id: '{report}' } },
  { by: 'OnBatch', parameters: { operation: 'Blob.CreateZip', batch: '{batch}' }, before: batch },
  {
    by: 'OnFile',
    parameters: { operation: 'Blob.Convert', batch: '{batch}', file: '0' },
    body: { params: { mimeType: 'text/html' } },
    before: batch,
  },
  { by: 'OnChildrenByPath', parameters: { ...lock, ...path, ...found } },
  { by: 'OnFoundByPath', parameters: { ...lock, ...path, fullText: 'report' } },
  { by: 'OnProvidedByPath', parameters: { ...lock, ...path, name, ...found } },
  { by: 'OnChildrenById', parameters: { ...lock, ...id, ...found } },
  { by: 'OnFoundById', parameters: { ...lock, ...id, fullText: 'report' } },
  { by: 'OnProvidedById', parameters: { ...lock, ...id, name, ...found } },
  { by: 'OnIds', parameters: { ...lock, matrix: 'id={report};id={plan}' } },
];

const location = /@async\/([^/]+)/;

function examplesAt({ by, parameters, body = {}, before }: At): Examples {
  const begun = { parameters, body: { params: {}, ...body } };
  const { pageSize: _, fullText: __, ...address } = parameters;
  const execution = { parameters: { ...address, execution: '{execution}' } };
  return {
    [`callOperation${by}`]: { ...begun, ...(before && { before }) },
    [`callOperation${by}Later`]: { ...begun, ...(before && { before }), gives: { execution: location } },
    [`getExecutionStatus${by}`]: execution,
    [`getExecution${by}`]: execution,
    [`abortExecution${by}`]: execution,
  };
}

type CallExample = NonNullable<Operation['example']>;
type OwnExample = Exclude<CallExample, { none: string }>;
type OwnStep = NonNullable<OwnExample['before']>[number];

const requestOf = ({ input, params = {}, context, files }: Omit<OwnExample, 'before'>) => ({
  body: { ...(input !== undefined && { input }), params, ...(context && { context }) },
  ...(files && { files }),
});

function stepOf({ gives = {}, ...step }: OwnStep): Step {
  if ('route' in step) return { ...step, gives };
  const operation = operationByName(step.call);
  if (!operation) throw new Error(`An example calls ${step.call}, which is not an operation.`);
  return { route: operationFieldName(operation), ...requestOf(step), gives };
}

/** The reasons why operations have no example, by route name. */
export const withoutExample: Readonly<Record<string, string>> = Object.fromEntries(
  operations.flatMap((operation) =>
    operation.example && 'none' in operation.example
      ? [[operationFieldName(operation), operation.example.none]]
      : [],
  ),
);

/** Examples from the files of the operations. */
export const operationExamples: Examples = Object.fromEntries(
  operations.flatMap((operation): Array<[string, Example]> => {
    const { example } = operation;
    if (!example || 'none' in example) return [];
    const { before = [], ...call } = example;
    return [[operationFieldName(operation), { before: before.map(stepOf), ...requestOf(call) }]];
  }),
);

/** Examples of calls at the URLs that all operations share. */
export const addressedOperationExamples: Examples = {
  getOperations: {},
  getOperation: { parameters: { operation: 'Document.Create' } },
  ...Object.assign({}, ...addresses.map(examplesAt)),
};
