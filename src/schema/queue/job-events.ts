import { builder } from '../../graphql/builder.ts';
import { eventField } from '../../graphql/event-field.ts';
import { changedJobs, type JobChange } from '../../loaders/queue/changed-jobs.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { Job } from '../queue/job.ts';

const JobEvent = builder.objectRef<JobChange>('JobEvent');
JobEvent.implement({
  description: 'What has become of a job.',
  fields: (t) => ({
    job: t.expose('job', { type: Job, description: 'The job as it is now, or as it was last.' }),
    isGone: t.exposeBoolean('isGone', { description: 'Whether it is done or was dropped.' }),
  }),
});

builder.subscriptionField('jobEvents', (t) =>
  t.field({
    type: [JobEvent],
    description:
      'Changes of jobs from now on: added, started, retried, set aside or done; for administrators. Changes between two polls can be skipped.',
    args: { kind: t.arg.stringList({ description: 'Kinds of jobs; any when absent.' }) },
    ...eventField,
    resolve: (span, { kind }, context) => {
      requireAdministrator(context.user, 'see jobs');
      return changedJobs(context, span, kind);
    },
  }),
);
