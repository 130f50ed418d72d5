import type { ReactNode } from 'react';
import type { SignInFragment } from '../graphql/operations.ts';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { AdminTable } from './table.tsx';

type Identity = SignInFragment['identities'][number];

interface IdentitiesProps {
  readonly identities: readonly Identity[];
  readonly actions?: (identity: Identity) => ReactNode;
}

/** Lists a user's accounts at identity providers. */
export const Identities = ({ identities, actions }: IdentitiesProps) => (
  <AdminTable
    label={text('identities.title')}
    entries={identities}
    keyOf={({ id }) => id}
    empty={text('identities.none')}
    columns={[
      {
        label: text('identities.provider'),
        value: ({ label, endDate }) => (
          <>
            {label} {endDate && <span className="bad">{text('identities.ended')}</span>}
          </>
        ),
      },
      {
        label: text('identities.subject'),
        value: ({ subject }) => <span className="long-text">{subject}</span>,
      },
      { label: text('account.created'), value: ({ creationDate }) => <Time at={creationDate} /> },
      { label: text('users.lastSignIn'), value: ({ lastSignIn }) => <Time at={lastSignIn} /> },
    ]}
    {...(actions && { actions })}
  />
);
