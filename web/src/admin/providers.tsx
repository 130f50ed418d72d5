import { CircleAlert, CircleCheck, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { beginAtProvider, signInOptions } from '../app/session.ts';
import { useAnswer } from '../graphql/client.ts';
import { type IdentityProvidersQuery, identityProviders } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { attempt } from '../parts/notices.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text, textOr } from '../texts/text.ts';
import { AdminTable } from './table.tsx';
import { TestDirectory } from './test-directory.tsx';

type Provider = IdentityProvidersQuery['identityProviders'][number];

/** Returns the provider's rules, each of which sets a property or adds users to a group, as rows of a table. */
const rulesOf = ({ properties, groups }: Provider) => [
  ...properties.map(({ name, claim }) => ({ key: `property ${name}`, name, claim })),
  ...groups.map(({ name, claim, values }, nth) => ({
    key: `group ${nth}`,
    name: text('providers.group', { name }),
    claim: values.length > 0 ? `${claim}: ${values.join(', ')}` : claim,
  })),
];

function ProviderCard({ provider }: { readonly provider: Provider }) {
  const { name, kind, label, issuer, createsUsers, state } = provider;
  const facts = [
    [text('providers.kind'), textOr(`providers.kind.${kind}`, kind)],
    [text('providers.issuer'), issuer],
    [text('providers.creates'), text(createsUsers ? 'yes' : 'no')],
  ] as const;
  const [isTesting, setTesting] = useState(false);
  // Directories have no sign-in page, so the name and the password of a user are entered here.
  const hasPage = signInOptions.providers.some((each) => each.name === name);
  const test = () => (hasPage ? void attempt(() => beginAtProvider(name, 'test')) : setTesting(true));
  return (
    <section className="card">
      <div className="card-head">
        <h2>{label}</h2>
        <Button icon={FlaskConical} onPress={test}>
          {text('providers.test')}
        </Button>
      </div>
      <p role="status">
        {state.isReachable ? (
          <>
            <CircleCheck size={18} className="good" aria-hidden /> {text('providers.reachable')}
          </>
        ) : (
          <>
            <CircleAlert size={18} className="bad" aria-hidden /> {text('providers.unreachable')}{' '}
            <span className="bad long-text">{state.fault}</span>
          </>
        )}
      </p>
      <dl className="properties">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd className="long-text">{value}</dd>
          </div>
        ))}
      </dl>
      <AdminTable
        label={text('providers.rules')}
        entries={rulesOf(provider)}
        keyOf={({ key }) => key}
        empty={text('providers.noRules')}
        columns={[
          { label: text('providers.sets'), value: (rule) => rule.name },
          { label: text('providers.claim'), value: ({ claim }) => claim },
        ]}
      />
      {isTesting && <TestDirectory name={name} onClose={() => setTesting(false)} />}
    </section>
  );
}

/** Shows the identity providers and whether they respond. They are configured in a file. */
export function Providers() {
  const { data, error } = useAnswer(identityProviders, {}, { staleTime: 0 });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <div className="stack">
      <p className="hint">{text(data.identityProviders.length > 0 ? 'providers.hint' : 'providers.none')}</p>
      {data.identityProviders.map((provider) => (
        <ProviderCard key={provider.name} provider={provider} />
      ))}
    </div>
  );
}
