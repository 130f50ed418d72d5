import { builder } from '../../graphql/builder.ts';
import { requireAdministrator } from '../../security/principal.ts';
import type { MetricSample } from '../../services.ts';
import { type ProbeResult, runProbes } from '../../store/probes/index.ts';

const Probe = builder.objectRef<ProbeResult>('Probe').implement({
  description: 'A check of a service that the server depends on.',
  fields: (t) => ({
    name: t.exposeString('name'),
    success: t.exposeBoolean('success'),
    info: t.exposeString('info'),
    time: t.exposeInt('time', { description: 'The duration of the check in milliseconds.' }),
  }),
});

const Probes = builder.objectRef<readonly ProbeResult[]>('Probes').implement({
  fields: (t) => ({ entries: t.field({ type: [Probe], resolve: (results) => [...results] }) }),
});

const Sample = builder.objectRef<MetricSample>('MetricSample').implement({
  description: 'The activity of the server during one minute, as counted in `/metrics`.',
  fields: (t) => ({
    at: t.string({ description: 'The end of the minute.', resolve: ({ at }) => at.toISOString() }),
    requests: t.exposeInt('requests', { description: 'The number of requests that ended.' }),
    failures: t.exposeInt('failures', {
      description: 'The number of requests that ended with a status of 500 or higher.',
    }),
    refused: t.exposeInt('refused', {
      description: 'The number of requests that were rejected because of the load.',
    }),
    meanMilliseconds: t.exposeFloat('meanMilliseconds', {
      description: 'The mean duration of a request in milliseconds; 0 if there were none.',
    }),
    cpuSeconds: t.exposeFloat('cpuSeconds', { description: 'The processor time used, in seconds.' }),
    memoryBytes: t.exposeFloat('memoryBytes', {
      description: 'The number of bytes of memory in use at the end of the minute.',
    }),
    lagMilliseconds: t.exposeFloat('lagMilliseconds', {
      description: 'The 99th percentile of the event loop delay, in milliseconds.',
    }),
    waitingJobs: t.exposeInt('waitingJobs', {
      description: 'The number of jobs that were waiting at the end of the minute.',
    }),
    failedJobs: t.exposeInt('failedJobs', {
      description: 'The number of jobs that were set aside after failing repeatedly.',
    }),
  }),
});

builder.queryField('metricSamples', (t) =>
  t.field({
    type: [Sample],
    description:
      'A sample for each minute of the last hour since the process started, oldest first. Only for administrators.',
    resolve: (_, __, context) => {
      requireAdministrator(context.user, 'see metrics');
      return [...context.services.metricSamples()];
    },
  }),
);

builder.queryField('probes', (t) =>
  t.field({
    type: Probes,
    description:
      'Checks the services that the server depends on: the database, files, the index and jobs. Only for administrators.',
    resolve: (_, __, context) => {
      requireAdministrator(context.user, 'see probes');
      return runProbes(context);
    },
  }),
);
