import { builder } from '../../graphql/builder.ts';
import { eventField } from '../../graphql/event-field.ts';
import { changedJobs, type JobChange } from '../../loaders/queue/changed-jobs.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { Job } from '../queue/job.ts';

const JobEvent = builder.objectRef<JobChange>('JobEvent');
JobEvent.implement({
  description: 'A change in the state of a job.',
  fields: (t) => ({
    job: t.expose('job', {
      type: Job,
      description: 'The job in its current state or, if it is gone, its last state.',
    }),
    isGone: t.exposeBoolean('isGone', { description: 'Whether the job has completed or was deleted.' }),
  }),
});

builder.subscriptionField('jobEvents', (t) =>
  t.field({
    type: [JobEvent],
    description:
      'Future changes in the state of jobs (added, started, retried, set aside, completed); for administrators. If a job changes several times in quick succession, only the last change may be sent.',
    args: { kind: t.arg.stringList({ description: 'The kinds of jobs; defaults to all.' }) },
    ...eventField,
    resolve: (span, { kind }, context) => {
      requireAdministrator(context.user, 'see jobs');
      return changedJobs(context, span, kind);
    },
  }),
);
