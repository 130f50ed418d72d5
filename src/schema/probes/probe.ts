import { builder } from '../../graphql/builder.ts';
import { requireAdministrator } from '../../security/principal.ts';
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

builder.queryField('probes', (t) =>
  t.field({
    type: Probes,
    description: 'Tries what the server needs: the database, files, the index and jobs; for administrators.',
    resolve: (_, __, context) => {
      requireAdministrator(context.user, 'probes');
      return runProbes(context);
    },
  }),
);
