import { Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { dropJob, jobs, runJob } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { documentAddress } from '../listing/address.ts';
import { pathText } from '../listing/path-text.ts';
import { IconButton } from '../parts/button.tsx';
import { Select } from '../parts/fields.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { PagedTable } from './table.tsx';

const states = ['set-aside', 'waiting', 'running'];

/** Shows the background jobs. Administrators can rerun or delete failed jobs. */
export function Jobs() {
  const [state, setState] = useState('all');
  const pages = usePages(jobs, { state: state === 'all' ? null : [state] }, (data) => data.jobs);
  return (
    <section className="card">
      <div className="narrow">
        <Select
          label={text('jobs.state')}
          value={state}
          onChange={setState}
          options={['all', ...states].map((id) => ({ id, label: textOr(`job.${id}`, id) }))}
        />
      </div>
      <PagedTable
        label={text('admin.jobs')}
        pages={pages}
        keyOf={({ id }) => id}
        empty={text('jobs.none')}
        columns={[
          { label: text('jobs.kind'), value: ({ kind, key }) => (key ? `${kind} ${key}` : kind) },
          { label: text('jobs.state'), value: (job) => textOr(`job.${job.state}`, job.state) },
          { label: text('jobs.attempts'), value: ({ attempts }) => attempts },
          { label: text('jobs.runAt'), value: ({ runAt }) => <Time at={runAt} /> },
          {
            label: text('document'),
            value: ({ document }) =>
              document && <Link href={documentAddress(document.uid)}>{pathText(document.path)}</Link>,
          },
          { label: text('jobs.error'), value: ({ error }) => <span className="long-text">{error}</span> },
        ]}
        actions={({ id, kind, state: now }) => (
          <>
            {now !== 'running' && (
              <IconButton
                label={`${text('jobs.run')}: ${kind}`}
                icon={Play}
                onPress={() => change(() => send(runJob, { id }), text('done.job'))}
              />
            )}
            {now === 'set-aside' && (
              <IconButton
                label={`${text('jobs.drop')}: ${kind}`}
                icon={Trash2}
                onPress={() => change(() => send(dropJob, { id }), text('done.deleted'))}
              />
            )}
          </>
        )}
      />
    </section>
  );
}
