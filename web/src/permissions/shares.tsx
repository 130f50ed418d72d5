import { X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { PagedTable } from '../admin/table.tsx';
import { send } from '../graphql/client.ts';
import { revokeShare, type SharesQuery, shares } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { IconButton } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { countText, Time, totalText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { modeText, permissionText } from './names.ts';

type Share = SharesQuery['shares']['entries'][number];

const whoOf = ({ guest }: Share): string => guest ?? text('shares.link');

const whatOf = ({ mode, permissions }: Share): string =>
  mode === null ? permissions.map(permissionText).join(', ') : modeText(mode);

const titleOf = ({ document, documentId }: Share): string => document?.title ?? documentId;

interface SharesProps {
  /** Whether to list only links and guests that the user has created. */
  readonly isOwn?: boolean;
}

/** Lists links and guests, which give access to documents without an account, and lets the user revoke them. */
export function Shares({ isOwn = false }: SharesProps) {
  const [revoked, setRevoked] = useState<Share>();
  const pages = usePages(shares, { isOwn }, (data) => data.shares);
  return (
    <section className="card">
      <h2>
        {text('admin.shares')} {!pages.isLoading && <span className="badge">{totalText(pages)}</span>}
      </h2>
      <PagedTable
        label={text('admin.shares')}
        pages={pages}
        keyOf={({ id }) => id}
        empty={text('shares.none')}
        columns={[
          {
            label: text('shares.document'),
            value: (share) => <Link to={`/document/${share.documentId}/permissions`}>{titleOf(share)}</Link>,
          },
          {
            label: text('shares.who'),
            value: (share) => (
              <>
                <span className="long-text">{whoOf(share)}</span>{' '}
                {share.hasPassword && <span className="badge">{text('links.protected')}</span>}
              </>
            ),
          },
          { label: text('shares.can'), value: whatOf },
          {
            label: text('links.end'),
            value: ({ end, hasEnded }) => (
              <>
                <Time at={end} /> {hasEnded && <span className="badge">{text('ace.archived')}</span>}
              </>
            ),
          },
          {
            label: text('links.opened'),
            value: ({ opened }) => (opened === null ? null : countText(opened)),
          },
          { label: text('links.by'), value: ({ createdBy }) => createdBy && <Person id={createdBy} /> },
        ]}
        actions={(share) => (
          <IconButton
            label={`${text('account.revoke')}: ${whoOf(share)}, ${titleOf(share)}`}
            icon={X}
            onPress={() => setRevoked(share)}
          />
        )}
      />
      {revoked && (
        <Confirm
          title={text('account.revoke')}
          question={text('shares.question', { who: whoOf(revoked), title: titleOf(revoked) })}
          submit={text('account.revoke')}
          done={text('done.revoked')}
          onConfirm={() => send(revokeShare, { id: revoked.id })}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </section>
  );
}
