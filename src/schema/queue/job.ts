import { among } from '../../graphql/among.ts';
import { builder } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import { type JobRow, jobStates, type SetAsideDocument } from '../../loaders/queue/jobs.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { dropJob, runJob } from '../../store/queue/manage-jobs.ts';

const SetAsideDocumentType = builder.objectRef<SetAsideDocument>('SetAsideDocument').implement({
  description: 'A document that could not be indexed: searches do not find it, and do not wait for it.',
  fields: (t) => ({
    repository: t.exposeString('repository', { description: 'The repository that the document is in.' }),
    uid: t.exposeID('uid'),
    path: t.exposeString('path'),
    title: t.exposeString('title'),
  }),
});

export const Job = builder.objectRef<JobRow>('Job');
Job.implement({
  description: 'Work after an answer, or a daily one, that is still to be done.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.exposeString('kind'),
    key: t.exposeString('key', {
      nullable: true,
      description: 'Jobs of a kind with the same one run one after the other.',
    }),
    state: t.exposeString('state', {
      description: 'waiting, running, or set-aside after its last attempt has failed.',
    }),
    createdAt: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    runAt: t.string({
      description:
        'It runs no sooner; while it runs, when another process takes it over; once it is set aside, since when.',
      resolve: ({ runAt }) => runAt.toISOString(),
    }),
    attempts: t.exposeInt('attempts'),
    error: t.exposeString('error', { nullable: true, description: 'Why the last attempt failed.' }),
    document: t.expose('document', {
      type: SetAsideDocumentType,
      nullable: true,
      description: 'Of a job of the kind index-document: the document that the search index has set aside.',
    }),
  }),
});

const Jobs = builder.objectRef<PageShape<JobRow>>('Jobs');
implementPage(Jobs, Job, 'A page of jobs.');

builder.queryField('jobs', (t) =>
  t.field({
    type: Jobs,
    description: 'Jobs, the newest first; for administrators.',
    args: {
      ...fixedOrderPageArguments,
      state: t.arg.stringList({ description: 'waiting, running or set-aside; any when absent.' }),
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
    description: 'Has a job that waits or is set aside run now, with all its attempts; for administrators.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => {
      requireAdministrator(context.user, 'run or delete jobs');
      await runJob(context, String(id));
      return id;
    },
  }),
  dropJob: t.id({
    description: 'Deletes a job that is set aside; for administrators.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => {
      requireAdministrator(context.user, 'run or delete jobs');
      await dropJob(context, String(id));
      return id;
    },
  }),
}));
