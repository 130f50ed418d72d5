import { among } from '../../graphql/among.ts';
import { builder } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import { type JobRow, jobStates, type SetAsideDocument } from '../../loaders/queue/jobs.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { dropJob, runJob } from '../../store/queue/manage-jobs.ts';

const SetAsideDocumentType = builder.objectRef<SetAsideDocument>('SetAsideDocument').implement({
  description: 'A document that could not be indexed. Searches do not find it, and do not wait for it.',
  fields: (t) => ({
    repository: t.exposeString('repository', { description: 'The repository that contains the document.' }),
    uid: t.exposeID('uid'),
    path: t.exposeString('path'),
    title: t.exposeString('title'),
  }),
});

export const Job = builder.objectRef<JobRow>('Job');
Job.implement({
  description: 'Background work that is still to be done: work deferred by a request, or recurring work.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.exposeString('kind'),
    key: t.exposeString('key', {
      nullable: true,
      description: 'Jobs of the same kind with the same key run one after the other.',
    }),
    state: t.exposeString('state', {
      description: 'waiting, running, or set-aside if the last attempt has failed.',
    }),
    createdAt: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    runAt: t.string({
      description:
        'The earliest time at which the job runs. For a running job, the time at which another process takes it over; for a job that was set aside, the time at which that happened.',
      resolve: ({ runAt }) => runAt.toISOString(),
    }),
    attempts: t.exposeInt('attempts'),
    error: t.exposeString('error', { nullable: true, description: 'Why the last attempt failed.' }),
    document: t.expose('document', {
      type: SetAsideDocumentType,
      nullable: true,
      description: 'For jobs of the kind index-document: the document whose indexing failed.',
    }),
  }),
});

const Jobs = builder.objectRef<PageShape<JobRow>>('Jobs');
implementPage(Jobs, Job, 'A page of jobs.');

builder.queryField('jobs', (t) =>
  t.field({
    type: Jobs,
    description: 'Jobs, newest first. Only for administrators.',
    args: {
      ...fixedOrderPageArguments,
      state: t.arg.stringList({ description: 'waiting, running or set-aside; defaults to all.' }),
      kind: t.arg.stringList(),
    },
    complexity: pageCost,
    resolve: (_, { state, kind, ...page }, { load, user }) => {
      requireAdministrator(user, 'see jobs');
      const filter = { state: among('state', jobStates, state), kind: kind ?? undefined };
      return fixedOrderPage(page, (request) => load.jobs(filter, request));
    },
  }),
);

builder.mutationFields((t) => ({
  runJob: t.id({
    description:
      'Runs a waiting or set-aside job now, and resets its number of attempts. Only for administrators.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => {
      requireAdministrator(context.user, 'run or delete jobs');
      await runJob(context, String(id));
      return id;
    },
  }),
  dropJob: t.id({
    description: 'Deletes a job that was set aside. Only for administrators.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => {
      requireAdministrator(context.user, 'run or delete jobs');
      await dropJob(context, String(id));
      return id;
    },
  }),
}));
