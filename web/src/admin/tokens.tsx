import { useAnswer } from '../graphql/client.ts';
import { applications } from '../graphql/operations.ts';
import { Failure } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { AdminTable } from './table.tsx';

/** Shows the registered applications and the authorizations that users have granted to them. */
export function Tokens() {
  const { data, error } = useAnswer(applications, {});
  return (
    <div className="stack">
      {error && <Failure error={error} />}
      {data && (
        <>
          <section className="card">
            <h2>{text('tokens.applications')}</h2>
            <AdminTable
              label={text('tokens.applications')}
              entries={data.clients.entries}
              keyOf={({ id }) => id}
              empty={text('tokens.noApplications')}
              columns={[
                { label: text('groups.name'), value: ({ name }) => name },
                { label: text('tokens.clientId'), value: ({ clientId }) => clientId },
                { label: text('tokens.redirects'), value: ({ redirectURIs }) => redirectURIs.join(', ') },
                {
                  label: text('webhooks.state'),
                  value: ({ enabled }) => text(enabled ? 'webhooks.on' : 'webhooks.off'),
                },
              ]}
            />
          </section>
          <section className="card">
            <h2>{text('tokens.grants')}</h2>
            <AdminTable
              label={text('tokens.grants')}
              entries={data.allGrants.entries}
              keyOf={({ id }) => id}
              empty={text('tokens.noGrants')}
              columns={[
                { label: text('audit.user'), value: ({ username }) => <Person id={username} /> },
                { label: text('tokens.clientId'), value: ({ clientId }) => clientId },
                { label: text('tokens.since'), value: ({ creationDate }) => <Time at={creationDate} /> },
              ]}
            />
          </section>
        </>
      )}
    </div>
  );
}
