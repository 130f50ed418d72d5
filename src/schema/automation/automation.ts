import { referenceTo } from '../../automation/documents/document-at.ts';
import { requireFew } from '../../automation/few-items.ts';
import { availableOperation, operations } from '../../automation/index.ts';
import type { CallInput } from '../../automation/input.ts';
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

/** Creates the resolver of a result field. The field is null unless the result is of the field's kind. */
const only =
  (field: string) =>
  ({ kind, value }: OperationOutcome) =>
    kind !== 'void' && resultField[kind] === field ? (value as never) : null;

const maxListCost = { field: 1, multiplier: maxPageSize };

const OperationResult = builder.objectRef<OperationOutcome>('OperationResult').implement({
  description: 'The result of an operation. The field for its kind is set; for void, none is set.',
  fields: (t) => ({
    kind: t.exposeString('kind'),
    document: t.field({ type: Document, nullable: true, resolve: only('document') }),
    documents: t.field({
      type: DocumentList,
      nullable: true,
      complexity: maxListCost,
      resolve: only('documents'),
    }),
    page: t.field({ type: Documents, nullable: true, complexity: maxListCost, resolve: only('page') }),
    blob: t.field({ type: Blob, nullable: true, resolve: only('blob') }),
    blobs: t.field({ type: [Blob], nullable: true, resolve: only('blobs') }),
    user: t.field({ type: User, nullable: true, resolve: only('user') }),
    recordSet: t.field({
      type: RecordSet,
      nullable: true,
      complexity: maxListCost,
      resolve: only('recordSet'),
    }),
    logEntries: t.field({
      type: LogEntries,
      nullable: true,
      complexity: maxListCost,
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
  description: "A file of one of the caller's upload batches, or all its files.",
  fields: (t) => ({ batch: t.id({ required: true }), file: t.id() }),
});

const OperationInput = builder.inputType('OperationInput', {
  description:
    'The input of an operation; only one of the fields can be set. Documents are given by id or path.',
  fields: (t) => ({
    document: t.id(),
    documents: t.idList(),
    text: t.string(),
    user: t.field({ type: UserInput }),
    blobs: t.field({ type: [BlobInput], description: 'One or more files.' }),
    upload: t.field({ type: UploadedInput }),
  }),
});

const contextDescription = 'The values of variables in expressions, by name.';

/**
 * The arguments of an operation. They have no default values here, because `readParams` sets them for both GraphQL
 * and REST.
 */
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

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns a JSON object, which is empty if the value is null or undefined.
 * @throws Invalid if the value is not an object
 */
function objectOf(name: string, value: unknown): Values {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Values;
  throw new Invalid(`${name} must be an object.`);
}

function resolve(operation: Operation, args: Values, context: Context): Promise<OperationOutcome> {
  const values = Object.keys(operation.params).map((name) => [name, args[argumentName(name)]]);
  const input = (args.input ?? {}) as CallInput;
  const variables = objectOf('context', args.context);
  return runOperation(operation, context, { input, params: Object.fromEntries(values), variables });
}

for (const operation of operations) {
  const field = {
    type: OperationResult,
    description: operation.description,
    args: argumentsOf(operation),
    resolve: (_: unknown, args: Values, context: Context) => resolve(operation, args, context),
  };
  if (operation.kind === 'query')
    builder.queryField(operationFieldName(operation), (t) => t.field({ ...field, nullable: true }));
  else builder.mutationField(operationFieldName(operation), (t) => t.field(field));
}

builder.queryField('permitted', (t) =>
  t.boolean({
    nullable: true,
    description:
      'True if the caller has the permission on each of the documents; otherwise the error with which a write would fail.',
    args: {
      documents: t.arg.idList({ required: true, description: 'The ids or paths of the documents.' }),
      permission: t.arg.string({ required: true }),
    },
    resolve: async (_, { documents, permission }, context) => {
      if (!isPermission(permission)) throw new Invalid(`There is no permission ${permission.slice(0, 80)}.`);
      requireFew('documents', 'documents', documents);
      await requireRights(context, documents.map(referenceTo), permission);
      return true;
    },
  }),
);

builder.mutationField('callOperation', (t) =>
  t.field({
    type: OperationResult,
    description: 'Calls an operation or a chain by its name, in one transaction.',
    args: {
      name: t.arg.id({ required: true }),
      input: t.arg({ type: OperationInput }),
      params: t.arg({ type: 'JSON', description: 'The parameters by name.' }),
      context: t.arg({ type: 'JSON', description: contextDescription }),
    },
    resolve: (_, { name, input, params, context: variables }, context) =>
      runOperation(availableOperation(name, context), context, {
        input: (input ?? {}) as CallInput,
        params: objectOf('params', params),
        variables: objectOf('context', variables),
      }),
  }),
);
