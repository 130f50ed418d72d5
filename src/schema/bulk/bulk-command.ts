import type { ErrorSubject } from '../../errors.ts';
import { among } from '../../graphql/among.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { bulkStates } from '../../store/bulk/active-command.ts';
import { bulkResult, hasBulkResult } from '../../store/bulk/bulk-result.ts';
import {
  abortBulkCommand,
  type BulkCommandRow,
  type BulkFailure,
  bulkFailures,
  findBulkCommand,
  listedFailures,
} from '../../store/bulk/commands.ts';
import { bulkStatus } from '../../store/bulk/status.ts';
import { submitBulkAction } from '../../store/bulk/submit.ts';
import { Blob } from '../blobs/blob.ts';

const subjectOf = (stored: unknown): ErrorSubject => (stored ?? {}) as ErrorSubject;

const Failure = builder.objectRef<BulkFailure>('BulkFailure').implement({
  description: 'A document on which a bulk action failed.',
  fields: (t) => ({
    id: t.exposeID('documentId'),
    message: t.exposeString('error', { nullable: true }),
    permission: t.string({
      nullable: true,
      description: 'The permission that the caller does not have.',
      resolve: ({ errorSubject }) => subjectOf(errorSubject).permission,
    }),
    lockOwner: t.string({
      nullable: true,
      description: 'The user who has locked the document.',
      resolve: ({ errorSubject }) => subjectOf(errorSubject).lockOwner,
    }),
  }),
});

const Result = builder.objectRef<BulkCommandRow>('BulkResult').implement({
  description: 'The file that an export has created.',
  fields: (t) => ({
    url: t.string({ resolve: ({ id }, _, { options }) => options.links.bulkResult(id) }),
  }),
});

export const BulkStatus = builder.objectRef<BulkCommandRow>('BulkStatus');
BulkStatus.implement({
  description: 'A bulk action on the documents found by a query (docs/jobs.md).',
  fields: (t) => {
    const text = (name: keyof ReturnType<typeof bulkStatus>) =>
      t.string({ nullable: true, resolve: (row) => bulkStatus(row)[name] as string | null });
    return {
      commandId: t.exposeID('id'),
      state: t.exposeString('state', {
        description: 'SCHEDULED, SCROLLING_RUNNING, RUNNING, COMPLETED or ABORTED.',
      }),
      processed: t.exposeInt('processed'),
      skipCount: t.exposeInt('skipped', {
        description: 'The number of documents that were skipped because they had been deleted.',
      }),
      error: t.boolean({ resolve: (row) => bulkStatus(row).error }),
      errorCount: t.exposeInt('failed'),
      errorMessage: t.exposeString('error', {
        nullable: true,
        description: 'The reason why the whole action failed.',
      }),
      failures: t.field({
        type: [Failure],
        description: `The documents on which the action failed, at most ${listedFailures}.`,
        resolve: (row, _, context) => bulkFailures(context, row),
      }),
      total: t.exposeInt('total', { description: 'The number of documents; 0 until they have been found.' }),
      action: t.exposeString('action'),
      username: t.exposeString('username'),
      submitted: text('submitted'),
      scrollStart: text('scrollStart'),
      scrollEnd: text('scrollEnd'),
      processingStart: text('processingStart'),
      processingEnd: text('processingEnd'),
      completed: text('completed'),
      processingMillis: t.exposeInt('processingMillis'),
      result: t.field({
        type: Result,
        nullable: true,
        description: 'The file of a completed export.',
        resolve: (row) => (hasBulkResult(row) ? row : null),
      }),
    };
  },
});

builder.queryField('bulkCommand', (t) =>
  t.field({
    type: BulkStatus,
    nullable: true,
    description: "One of the caller's bulk actions; for administrators, any user's.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => findBulkCommand(context, id),
  }),
);

builder.queryField('bulkResult', (t) =>
  t.field({
    type: Blob,
    nullable: true,
    description: "The file of one of the caller's exports; for administrators, any user's.",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => bulkResult(context, await findBulkCommand(context, id)),
  }),
);

const BulkStatuses = builder.objectRef<PageShape<BulkCommandRow>>('BulkStatuses');
implementPage(BulkStatuses, BulkStatus, 'A page of bulk actions.');

builder.queryField('bulkCommands', (t) =>
  t.field({
    type: BulkStatuses,
    description: 'The bulk actions of all users, newest first. Only for administrators.',
    args: {
      ...fixedOrderPageArguments,
      state: t.arg.stringList({ description: 'The states to include; defaults to all.' }),
    },
    complexity: pageCost,
    resolve: (_, { state, ...page }, { load, user }) => {
      requireAdministrator(user, 'see all bulk actions');
      return fixedOrderPage(page, (part) =>
        load.bulkCommands({ state: among('state', bulkStates, state) }, part),
      );
    },
  }),
);

builder.mutationFields((t) => ({
  runBulkAction: t.field({
    type: BulkStatus,
    description: "Starts a bulk action, which respects the caller's permissions on each document.",
    args: {
      action: t.arg.string({ required: true }),
      query: t.arg.string({ description: 'The query, in NXQL; an alternative to a page provider.' }),
      language: t.arg.string({ description: 'The language of the query: NXQL.' }),
      provider: t.arg.string({ description: 'The name of a page provider.' }),
      queryParams: t.arg.stringList(),
      namedParameters: t.arg({ type: 'JSON' }),
      quickFilters: t.arg.stringList(),
      parameters: t.arg({
        type: 'JSON',
        description: 'The parameters of the action, such as the properties to set.',
      }),
    },
    resolve: (_, { parameters, queryParams, namedParameters, ...input }, context) =>
      submitBulkAction(context, {
        ...input,
        positional: queryParams,
        named: asObject(namedParameters, 'namedParameters'),
        parameters: asObject(parameters, 'parameters'),
      }),
  }),
  abortBulkCommand: t.field({
    type: BulkStatus,
    description:
      'Aborts a bulk action after the batch of documents in progress. Changes already made are not undone.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => abortBulkCommand(context, id),
  }),
}));
