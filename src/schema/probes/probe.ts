import { builder } from '../../graphql/builder.ts';
import { requireAdministrator } from '../../security/principal.ts';
import type { MetricSample } from '../../services.ts';
import { type ProbeResult, runProbes } from '../../store/probes/index.ts';

const Probe = builder.objectRef<ProbeResult>('Probe').implement({
  description: 'Something that the server needs, and whether it is there.',
  fields: (t) => ({
    name: t.exposeString('name'),
    success: t.exposeBoolean('success'),
    info: t.exposeString('info'),
    time: t.exposeInt('time', { description: 'Milliseconds that the trial took.' }),
  }),
});

const Probes = builder.objectRef<readonly ProbeResult[]>('Probes').implement({
  fields: (t) => ({ entries: t.field({ type: [Probe], resolve: (results) => [...results] }) }),
});

const Sample = builder.objectRef<MetricSample>('MetricSample').implement({
  description: 'What the server did in a minute, as `/metrics` counts it.',
  fields: (t) => ({
    at: t.string({ description: 'The end of the minute.', resolve: ({ at }) => at.toISOString() }),
    requests: t.exposeInt('requests', { description: 'Requests that ended.' }),
    failures: t.exposeInt('failures', { description: 'Those with a status of 500 or more.' }),
    refused: t.exposeInt('refused', { description: 'Requests that were refused because of the load.' }),
    meanMilliseconds: t.exposeFloat('meanMilliseconds', { description: 'Of a request; 0 without any.' }),
    cpuSeconds: t.exposeFloat('cpuSeconds', { description: 'Time of a processor that was used.' }),
    memoryBytes: t.exposeFloat('memoryBytes', { description: 'In use at the end.' }),
    lagMilliseconds: t.exposeFloat('lagMilliseconds', {
      description: 'By which timers were late, of 99 in 100.',
    }),
    waitingJobs: t.exposeInt('waitingJobs', { description: 'Jobs that waited at the end.' }),
    failedJobs: t.exposeInt('failedJobs', { description: 'Jobs that were set aside.' }),
  }),
});

builder.queryField('metricSamples', (t) =>
  t.field({
    type: [Sample],
    description:
      'A sample of each minute of the last hour, the oldest first, as far back as the process runs; for administrators.',
    resolve: (_, __, context) => {
      requireAdministrator(context.user, 'see metrics');
      return [...context.services.metricSamples()];
    },
  }),
);

builder.queryField('probes', (t) =>
  t.field({
    type: Probes,
    description: 'Tries what the server needs: the database, files, the index and jobs; for administrators.',
    resolve: (_, __, context) => {
      requireAdministrator(context.user, 'see probes');
      return runProbes(context);
    },
  }),
);
