import { referenceTo } from '../../automation/documents/document-at.ts';
import { requireFew } from '../../automation/few-items.ts';
import { availableOperation, operations } from '../../automation/index.ts';
import type { GivenInput } from '../../automation/input.ts';
import type { OperationOutcome } from '../../automation/kinds.ts';
import { argumentName, type Operation, operationFieldName } from '../../automation/operation.ts';
import { resultField } from '../../automation/output-kinds.ts';
import { runOperation } from '../../automation/run.ts';
import { Invalid } from '../../errors.ts';
import { builder, Document, DocumentList, Documents, LogEntries, User } from '../../graphql/builder.ts';
import type { Context } from '../../loaders/context.ts';
import { maxPageSize } from '../../loaders/lists/page.ts';
import { isPermission } from '../../security/permissions.ts';
import { requireRights } from '../../store/row-locks/before-locks.ts';
import { UserInput } from '../authorities/user.ts';
import { Blob, BlobInput } from '../blobs/blob.ts';
import { RecordSet } from '../search/record-set.ts';

const OperationValue = builder.objectRef<OperationOutcome>('OperationValue').implement({
  fields: (t) => ({
    type: t.exposeString('kind', { description: 'string, boolean, number, date, list or map.' }),
    value: t.expose('value', { type: 'JSON' }),
  }),
});

/** What a field of the result shows: nothing, unless the answer is of its kind. */
const only =
  (field: string) =>
  ({ kind, value }: OperationOutcome) =>
    kind !== 'void' && resultField[kind] === field ? (value as never) : null;

const longestList = { field: 1, multiplier: maxPageSize };

const OperationResult = builder.objectRef<OperationOutcome>('OperationResult').implement({
  description: 'The result of an operation: one field by its kind, or none for void.',
  fields: (t) => ({
    kind: t.exposeString('kind'),
    document: t.field({ type: Document, nullable: true, resolve: only('document') }),
    documents: t.field({
      type: DocumentList,
      nullable: true,
      complexity: longestList,
      resolve: only('documents'),
    }),
    page: t.field({ type: Documents, nullable: true, complexity: longestList, resolve: only('page') }),
    blob: t.field({ type: Blob, nullable: true, resolve: only('blob') }),
    blobs: t.field({ type: [Blob], nullable: true, resolve: only('blobs') }),
    user: t.field({ type: User, nullable: true, resolve: only('user') }),
    recordSet: t.field({
      type: RecordSet,
      nullable: true,
      complexity: longestList,
      resolve: only('recordSet'),
    }),
    logEntries: t.field({
      type: LogEntries,
      nullable: true,
      complexity: longestList,
      resolve: only('logEntries'),
    }),
    json: t.field({ type: 'JSON', nullable: true, resolve: only('json') }),
    value: t.field({
      type: OperationValue,
      nullable: true,
      resolve: (result) => (only('value')(result) === null ? null : result),
    }),
  }),
});

const UploadedInput = builder.inputType('UploadedInput', {
  description: "A file of the caller's upload batch, or all files.",
  fields: (t) => ({ batch: t.id({ required: true }), file: t.id() }),
});

const OperationInput = builder.inputType('OperationInput', {
  description: 'The input of an operation: one of these. A document is named by its id or path.',
  fields: (t) => ({
    document: t.id(),
    documents: t.idList(),
    text: t.string(),
    user: t.field({ type: UserInput }),
    blobs: t.field({ type: [BlobInput], description: 'One or several.' }),
    upload: t.field({ type: UploadedInput }),
  }),
});

const contextDescription = 'The values of variables in expressions, by name.';

/** Arguments have no defaults: `readParams` fills them in, for REST too. */
const argumentsOf = ({ takes, params }: Operation) =>
  builder.args((t) => ({
    ...(takes.some((kind) => kind !== 'void') && { input: t.field({ type: OperationInput }) }),
    ...Object.fromEntries(
      Object.entries(params).map(([name, { kind, description, isRequired: isNeeded }]) => {
        const type = typeof kind.graphql === 'string' ? kind.graphql : [kind.graphql[0]];
        return [argumentName(name), t.field({ type: type as 'JSON', required: isNeeded, description })];
      }),
    ),
    context: t.field({ type: 'JSON', description: contextDescription }),
  }));

type Given = Readonly<Record<string, unknown>>;

/** @throws Invalid */
function objectOf(name: string, given: unknown): Given {
  if (given === undefined || given === null) return {};
  if (typeof given === 'object' && !Array.isArray(given)) return given as Given;
  throw new Invalid(`${name}: is no object`);
}

function resolve(operation: Operation, given: Given, context: Context): Promise<OperationOutcome> {
  const values = Object.keys(operation.params).map((name) => [name, given[argumentName(name)]]);
  const input = (given.input ?? {}) as GivenInput;
  const variables = objectOf('context', given.context);
  return runOperation(operation, context, { input, params: Object.fromEntries(values), variables });
}

for (const operation of operations) {
  const field = {
    type: OperationResult,
    description: operation.description,
    args: argumentsOf(operation),
    resolve: (_: unknown, given: Given, context: Context) => resolve(operation, given, context),
  };
  if (operation.kind === 'query')
    builder.queryField(operationFieldName(operation), (t) => t.field({ ...field, nullable: true }));
  else builder.mutationField(operationFieldName(operation), (t) => t.field(field));
}

builder.queryField('permitted', (t) =>
  t.boolean({
    nullable: true,
    description:
      'True where the caller has a permission on each of the documents; else the error of such a write.',
    args: {
      documents: t.arg.idList({ required: true, description: 'By their ids or paths.' }),
      permission: t.arg.string({ required: true }),
    },
    resolve: async (_, { documents, permission }, context) => {
      if (!isPermission(permission)) throw new Invalid(`permission: there is no ${permission.slice(0, 80)}`);
      requireFew('documents', 'documents', documents);
      await requireRights(context, documents.map(referenceTo), permission);
      return true;
    },
  }),
);

builder.mutationField('callOperation', (t) =>
  t.field({
    type: OperationResult,
    description: 'Calls an operation or a chain by its name; one transaction.',
    args: {
      name: t.arg.id({ required: true }),
      input: t.arg({ type: OperationInput }),
      params: t.arg({ type: 'JSON', description: 'By name.' }),
      context: t.arg({ type: 'JSON', description: contextDescription }),
    },
    resolve: (_, { name, input, params, context: variables }, context) =>
      runOperation(availableOperation(name, context), context, {
        input: (input ?? {}) as GivenInput,
        params: objectOf('params', params),
        variables: objectOf('context', variables),
      }),
  }),
);
