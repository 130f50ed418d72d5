import { CircleAlert, CircleCheck, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { send, useAnswer } from '../graphql/client.ts';
import { type DiagnosesQuery, diagnoses, identityProviders } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { attempt } from '../parts/notices.tsx';
import { type TextKey, text } from '../texts/text.ts';
import { TestResult } from './setup-test.tsx';

const users = {
  create: true,
  properties: { firstName: 'given_name', lastName: 'family_name', email: 'email' },
};

/** The beginnings of IDENTITY_FILE by the kind of provider. SAML has none, because it needs a provider in between. */
const files: Readonly<Partial<Record<'oidc' | 'ldap' | 'saml', object>>> = {
  oidc: {
    kind: 'oidc',
    label: 'Example Corp',
    issuer: 'https://login.example.org/realms/example',
    clientId: 'quire',
    clientSecret: { file: '/run/secrets/quire' },
    users: { ...users, id: 'preferred_username' },
  },
  ldap: {
    kind: 'ldap',
    label: 'Example Corp',
    servers: ['ldaps://ldap.example.org'],
    bindDn: 'cn=quire,ou=services,dc=example,dc=org',
    bindPassword: { file: '/run/secrets/quire-ldap' },
    base: 'ou=people,dc=example,dc=org',
    users: { create: true, properties: { firstName: 'givenName', lastName: 'sn', email: 'mail' } },
  },
};

const kinds = ['oidc', 'ldap', 'saml'] as const;

/** Shows which settings let people sign in with the accounts of their organization, and tests the current ones. */
export function SetupSignOn() {
  const { data } = useAnswer(identityProviders, {});
  const [result, setResult] = useState<DiagnosesQuery['diagnoses']>();
  const providers = data?.identityProviders ?? [];
  const test = () =>
    attempt(async () => setResult((await send(diagnoses, { checks: ['sign-on'] })).diagnoses));
  return (
    <>
      <ul>
        {providers.map(({ name, label, state }) => (
          <li key={name}>
            {state.isReachable ? (
              <CircleCheck size={16} className="good" aria-label={text('health.good')} />
            ) : (
              <CircleAlert size={16} className="bad" aria-label={text('health.bad')} />
            )}{' '}
            {label} {state.fault && <span className="hint">{state.fault}</span>}
          </li>
        ))}
      </ul>
      {data && providers.length === 0 && <p className="hint">{text('setup.noProviders')}</p>}
      {kinds.map((kind) => {
        const file = files[kind];
        const content = file && JSON.stringify({ providers: { example: file } }, null, 2);
        return (
          <details key={kind} className="setup-kind">
            <summary>{text(`setup.signOn.${kind}` as TextKey)}</summary>
            <p className="hint">{text(`setup.signOn.${kind}.hint` as TextKey)}</p>
            {content && (
              <>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that is wider than the screen is scrolled by key */}
                <pre className="setup-file" tabIndex={0}>
                  {content}
                </pre>
                <CopyButton value={content} />
              </>
            )}
          </details>
        );
      })}
      {providers.length > 0 && (
        <div>
          <Button icon={FlaskConical} onPress={() => void test()}>
            {text('setup.test')}
          </Button>
        </div>
      )}
      {result && <TestResult diagnoses={result} />}
    </>
  );
}
