import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { bareFieldErrors, type FieldErrors } from '../form/errors.ts';
import { differing } from '../form/values.ts';
import { refresh, send } from '../graphql/client.ts';
import {
  addMember,
  createUser,
  deleteUser,
  endCredentials,
  removeMember,
  type SignInFragment,
  type UsersQuery,
  updateUser,
  users,
} from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Confirm, deletion } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { attempt } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { IdList } from './id-list.tsx';
import { sendMembers } from './members.ts';
import { PagedTable } from './table.tsx';

type User = UsersQuery['users']['entries'][number];
type Properties = Readonly<Record<string, unknown>>;

const propertyText = ({ properties }: Pick<User, 'properties'>, name: string): string =>
  String((properties as Properties)[name] ?? '');

/**
 * Returns the labels of the identity providers to which an account is linked. The text begins with “Local” if the
 * account has a password or no linked identities.
 */
export function originText({ hasPassword, identities }: SignInFragment): string {
  const labels = [...new Set(identities.map(({ label }) => label))];
  const isLocal = hasPassword || labels.length === 0;
  return [...(isLocal ? [text('users.local')] : []), ...labels].join(', ');
}

interface UserFormProps {
  /** The user to edit; absent if a new user is being created. */
  readonly user?: User;
  readonly onClose: () => void;
}

export function UserForm({ user, onClose }: UserFormProps) {
  const before = (user?.properties ?? {}) as Properties;
  const managedGroups = user?.signIn.managedGroups ?? [];
  const isManaged = (group: string) => managedGroups.some(({ name }) => name === group);
  const groupsBefore = ((before.groups ?? []) as readonly string[]).filter((group) => !isManaged(group));
  const [values, setValues] = useState(before);
  const [groups, setGroups] = useState<readonly string[]>(groupsBefore);
  const [errors, setErrors] = useState<FieldErrors>({});
  /** Returns a hint that names the identity provider that sets a property; undefined if the property can be edited. */
  const sourceOf = (name: string): string | undefined => {
    const found = user?.signIn.managedProperties.find((each) => each.name === name);
    return found && text('users.from', { provider: found.label });
  };
  const field = (name: string) => ({
    error: errors[name],
    hint: sourceOf(name),
    isReadOnly: sourceOf(name) !== undefined,
    value: String(values[name] ?? ''),
    onChange: (value: string) => setValues((known) => ({ ...known, [name]: value })),
  });
  const save = () =>
    write().catch((error: unknown) => {
      setErrors(bareFieldErrors(error));
      throw error;
    });
  const write = async () => {
    const { username, firstName, lastName, email, company, password } = values;
    const input = { username, firstName, lastName, email, company };
    // Only changed properties are sent, because others may have changed the remaining ones in the meantime.
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
      {managedGroups.map(({ name, label }) => (
        <p key={name} className="hint">
          {text('users.managedGroup', { group: name, provider: label })}
        </p>
      ))}
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
          {
            label: text('users.username'),
            value: ({ id }) => <Link to={`/admin/users/${encodeURIComponent(id)}`}>{id}</Link>,
          },
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
          { label: text('users.origin'), value: ({ signIn }) => originText(signIn) },
          {
            label: text('users.lastSignIn'),
            value: ({ signIn }) => signIn.lastSignIn && <Time at={signIn.lastSignIn} />,
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
