import { refresh, send, useAnswer } from '../graphql/client.ts';
import { type AclsQuery, blockInheritance, groupSize } from '../graphql/operations.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { notify } from '../parts/notices.tsx';
import { countText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { permissionText } from './names.ts';

type Acl = AclsQuery['document']['acls'][number];

interface Loss {
  readonly username: string;
  readonly permissions: readonly string[];
}

/**
 * Returns the users and groups who inherit permissions from parent folders, except those to whom the document's own
 * entries also grant permissions.
 */
function lossesOf(acls: readonly Acl[]): Loss[] {
  const entries = (isLocal: boolean) =>
    acls
      .filter(({ name }) => (name === 'local') === isLocal && !name.includes('/'))
      .flatMap(({ aces }) => aces)
      .filter(({ granted, status }) => granted && status !== 'archived');
  const kept = entries(true);
  const lost = entries(false).filter(
    ({ username, permission }) =>
      !kept.some((ace) => ace.username === username && [permission, 'Everything'].includes(ace.permission)),
  );
  return [...new Set(lost.map(({ username }) => username))].map((username) => ({
    username,
    permissions: [
      ...new Set(lost.filter((ace) => ace.username === username).map(({ permission }) => permission)),
    ],
  }));
}

/** Shows the number of direct members of a group; renders nothing for users. */
function GroupSize({ name }: { readonly name: string }) {
  const { data } = useAnswer(groupSize, { name }, { retry: false });
  const count = data?.group?.users.resultsCount;
  if (count === undefined || count < 0) return null;
  return <span className="hint"> ({text('permissions.people', { count: countText(count) })})</span>;
}

interface BlockDialogProps {
  readonly uid: string;
  readonly acls: readonly Acl[];
  readonly onClose: () => void;
}

/** Asks for confirmation before a document stops inheriting permissions, and lists those who lose access. */
export function BlockDialog({ uid, acls, onClose }: BlockDialogProps) {
  const losses = lossesOf(acls);
  const block = async () => {
    await send(blockInheritance, { id: uid });
    await refresh();
    notify({ kind: 'done', message: text('done.permissions') });
  };
  return (
    <FormDialog
      title={text('permissions.block')}
      submit={text('permissions.block')}
      isDangerous
      onSubmit={block}
      onClose={onClose}
    >
      <p>{text('permissions.blockQuestion')}</p>
      {losses.length === 0 && <p className="hint">{text('permissions.blockNobody')}</p>}
      <ul className="title-list">
        {losses.map(({ username, permissions }) => (
          <li key={username}>
            <strong>
              <Person id={username} />
            </strong>
            <GroupSize name={username} />: {permissions.map(permissionText).join(', ')}
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
