import type { Finding as FoundByDoctor } from '../../doctor/check.ts';
import { checkNames, type Diagnosis, examine } from '../../doctor/doctor.ts';
import { servedInstallation } from '../../doctor/served.ts';
import { among } from '../../graphql/among.ts';
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

const Finding = builder.objectRef<FoundByDoctor>('Finding').implement({
  description: 'Something that `quire doctor` has found.',
  fields: (t) => ({
    level: t.exposeString('level', {
      description:
        '`fault` if something fails or data are at risk; `advice` if it works but can be improved.',
    }),
    problem: t.exposeString('problem', { description: 'What is wrong, in English.' }),
    reason: t.exposeString('reason', { description: 'Why it matters.' }),
    remedy: t.exposeString('remedy', { description: 'What to do.' }),
  }),
});

const DiagnosisType = builder.objectRef<Diagnosis>('Diagnosis').implement({
  description: 'The result of a check of `quire doctor`.',
  fields: (t) => ({
    check: t.exposeString('check', { description: 'The name of the check, such as `database`.' }),
    findings: t.field({
      type: [Finding],
      description: 'What the check has found; empty if everything is as it should be.',
      resolve: ({ findings }) => [...findings],
    }),
    skipped: t.string({
      nullable: true,
      description: 'Why the check could not be run; null if it was run.',
      resolve: ({ skipped }) => skipped ?? null,
    }),
  }),
});

builder.queryField('diagnoses', (t) =>
  t.field({
    type: [DiagnosisType],
    description:
      'Examines the installation as `quire doctor` does, which can take several seconds. Only for administrators.',
    args: {
      checks: t.arg.stringList({ description: 'The names of the checks to run; defaults to all.' }),
    },
    resolve: async (_, { checks }, context) => {
      requireAdministrator(context.user, 'examine the installation');
      return [...(await examine(servedInstallation(context), among('checks', checkNames, checks)))];
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
