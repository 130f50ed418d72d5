import { Link as LinkIcon, UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import type { PartProps } from '../document/document.ts';
import { send, useAnswer } from '../graphql/client.ts';
import { deleteShareLink, shareLinks } from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { countText, Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { useNames } from '../values/names.ts';
import { Person } from '../values/person.tsx';
import { InviteGuest } from './invite-guest.tsx';
import { modesFor, modeText } from './names.ts';
import { NewLink } from './new-link.tsx';

/** Lists the sharing links of a document, with which people can open the document without an account. */
export function Links({ document }: PartProps) {
  const { uid, facets } = document;
  const { data, error } = useAnswer(shareLinks, { id: uid });
  const [isCreating, setCreating] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const [deleting, setDeleting] = useState<{ readonly id: string; readonly createdBy: string }>();
  const links = data?.document.shareLinks.entries ?? [];
  const nameOf = useNames(links.map(({ createdBy }) => createdBy));
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('links.title')}</h2>
        <div className="actions">
          <Button icon={UserPlus} onPress={() => setInviting(true)}>
            {text('guests.invite')}
          </Button>
          <Button icon={LinkIcon} onPress={() => setCreating(true)}>
            {text('links.create')}
          </Button>
        </div>
      </div>
      {error && <Failure error={error} />}
      {!data && !error && <Loading />}
      {data && links.length === 0 && <p className="hint">{text('links.none')}</p>}
      {links.length > 0 && (
        <div className="scrolled">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{text('links.mode')}</th>
                <th scope="col">{text('links.end')}</th>
                <th scope="col">{text('links.opened')}</th>
                <th scope="col">{text('links.by')}</th>
                <th scope="col">
                  <span className="visually-hidden">{text('links.delete')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {links.map(({ id, mode, end, hasPassword, opened, createdBy }) => (
                <tr key={id}>
                  <th scope="row">
                    {modeText(mode)} {hasPassword && <span className="badge">{text('links.protected')}</span>}
                  </th>
                  <td data-label={text('links.end')}>
                    <Time at={end} />
                  </td>
                  <td data-label={text('links.opened')}>{countText(opened)}</td>
                  <td data-label={text('links.by')}>
                    <Person id={createdBy} />
                  </td>
                  <td>
                    <IconButton
                      label={`${text('links.delete')}: ${modeText(mode)}, ${nameOf(createdBy)}`}
                      icon={X}
                      onPress={() => setDeleting({ id, createdBy })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isCreating && <NewLink uid={uid} facets={facets} onClose={() => setCreating(false)} />}
      {isInviting && <InviteGuest uid={uid} modes={modesFor(facets)} onClose={() => setInviting(false)} />}
      {deleting && (
        <Confirm
          title={text('links.delete')}
          question={text('links.deleteQuestion', { who: nameOf(deleting.createdBy) })}
          submit={text('links.delete')}
          done={text('done.permissions')}
          onConfirm={() => send(deleteShareLink, { id: deleting.id })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </section>
  );
}
