import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { differing } from '../form/values.ts';
import { refresh, send } from '../graphql/client.ts';
import {
  addMember,
  createUser,
  deleteUser,
  endCredentials,
  removeMember,
  type UsersQuery,
  updateUser,
  users,
} from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { attempt } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { Confirm, deletion } from './confirm.tsx';
import { IdList } from './id-list.tsx';
import { sendMembers } from './members.ts';
import { PagedTable } from './table.tsx';

type User = UsersQuery['users']['entries'][number];
type Properties = Readonly<Record<string, unknown>>;

const propertyText = ({ properties }: Pick<User, 'properties'>, name: string): string =>
  String((properties as Properties)[name] ?? '');

interface UserFormProps {
  /** The user to edit; absent to create one. */
  readonly user?: User;
  readonly onClose: () => void;
}

function UserForm({ user, onClose }: UserFormProps) {
  const before = (user?.properties ?? {}) as Properties;
  const groupsBefore = (before.groups ?? []) as readonly string[];
  const [values, setValues] = useState(before);
  const [groups, setGroups] = useState(groupsBefore);
  const field = (name: string) => ({
    value: String(values[name] ?? ''),
    onChange: (value: string) => setValues((known) => ({ ...known, [name]: value })),
  });
  const save = async () => {
    const { username, firstName, lastName, email, company, password } = values;
    const input = { username, firstName, lastName, email, company };
    // Only changed properties are sent, because others may have changed the rest in the meantime.
    const properties = { ...differing(input, before), ...(password ? { password } : {}) };
    if (!user) await send(createUser, { user: { properties: { ...properties, groups } } });
    else {
      await send(updateUser, { id: user.id, user: { properties } });
      await sendMembers(groupsBefore, groups, {
        add: (group) => send(addMember, { group, user: user.id }),
        remove: (group) => send(removeMember, { group, user: user.id }),
      });
    }
    await refresh();
  };
  return (
    <FormDialog
      title={user ? user.id : text('users.new')}
      submit={text('save')}
      onSubmit={save}
      onClose={onClose}
      isDisabled={!values.username || (!user && !values.password)}
    >
      {!user && (
        <TextField label={text('users.username')} {...field('username')} isRequired autoComplete="off" />
      )}
      <TextField label={text('users.firstName')} {...field('firstName')} />
      <TextField label={text('users.lastName')} {...field('lastName')} />
      <TextField label={text('users.email')} type="email" {...field('email')} />
      <TextField label={text('users.company')} {...field('company')} />
      <TextField
        label={text(user ? 'users.newPassword' : 'users.password')}
        type="password"
        autoComplete="new-password"
        isRequired={!user}
        {...field('password')}
      />
      <IdList label={text('admin.groups')} reference={{ to: 'group' }} ids={groups} onChange={setGroups} />
    </FormDialog>
  );
}

export function Users() {
  const [term, setTerm] = useState('');
  const [edited, setEdited] = useState<User | 'new'>();
  const [deleted, setDeleted] = useState<User>();
  const pages = usePages(users, { term: term || '*' }, (data) => data.users);
  return (
    <section className="card">
      <div className="card-head">
        <TextField label={text('users.find')} type="search" value={term} onChange={setTerm} />
        <Button kind="main" icon={Plus} onPress={() => setEdited('new')}>
          {text('users.new')}
        </Button>
      </div>
      <PagedTable
        label={text('admin.users')}
        pages={pages}
        keyOf={({ id }) => id}
        empty={text('users.none')}
        columns={[
          { label: text('users.username'), value: ({ id }) => id },
          {
            label: text('users.name'),
            value: (user) => `${propertyText(user, 'firstName')} ${propertyText(user, 'lastName')}`.trim(),
          },
          { label: text('users.email'), value: (user) => propertyText(user, 'email') },
          {
            label: text('admin.groups'),
            value: ({ properties }) =>
              ((properties as Properties).groups as string[] | undefined)?.join(', '),
          },
        ]}
        actions={(user) => (
          <>
            <IconButton label={`${text('edit')}: ${user.id}`} icon={Pencil} onPress={() => setEdited(user)} />
            <IconButton
              label={`${text('users.endCredentials')}: ${user.id}`}
              icon={KeyRound}
              onPress={() =>
                void attempt(() => send(endCredentials, { id: user.id }), text('done.credentials'))
              }
            />
            <IconButton
              label={`${text('delete')}: ${user.id}`}
              icon={Trash2}
              onPress={() => setDeleted(user)}
            />
          </>
        )}
      />
      {edited && (
        <UserForm {...(edited !== 'new' && { user: edited })} onClose={() => setEdited(undefined)} />
      )}
      {deleted && (
        <Confirm
          {...deletion(deleted.id)}
          onConfirm={() => send(deleteUser, { id: deleted.id })}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </section>
  );
}
