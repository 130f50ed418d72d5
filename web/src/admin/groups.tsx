import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { differing } from '../form/values.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import {
  addMember,
  addMemberGroup,
  createGroup,
  deleteGroup,
  type GroupPageQuery,
  groupPage,
  groups,
  removeMember,
  removeMemberGroup,
  updateGroup,
} from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Confirm, deletion } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { IdList } from './id-list.tsx';
import { sendMembers } from './members.ts';
import { PagedTable } from './table.tsx';

interface GroupFormProps {
  /** The group to edit; absent if a new group is being created. */
  readonly group?: GroupPageQuery['group'];
  readonly onClose: () => void;
}

function GroupForm({ group, onClose }: GroupFormProps) {
  const [id, setId] = useState(group?.id ?? '');
  const [label, setLabel] = useState(group?.grouplabel ?? '');
  const [memberUsers, setUsers] = useState<readonly string[]>(group?.memberUsers ?? []);
  const [memberGroups, setGroups] = useState<readonly string[]>(group?.memberGroups ?? []);
  const save = async () => {
    const own = { grouplabel: label };
    if (!group) {
      const members = { memberUsers: [...memberUsers], memberGroups: [...memberGroups] };
      await send(createGroup, { group: { id, ...own, ...members } });
    } else {
      await send(updateGroup, { id, group: differing(own, { ...group }) });
      await sendMembers(group.memberUsers, memberUsers, {
        add: (user) => send(addMember, { group: id, user }),
        remove: (user) => send(removeMember, { group: id, user }),
      });
      await sendMembers(group.memberGroups, memberGroups, {
        add: (member) => send(addMemberGroup, { group: id, member }),
        remove: (member) => send(removeMemberGroup, { group: id, member }),
      });
    }
    await refresh();
  };
  return (
    <FormDialog
      title={group ? group.id : text('groups.new')}
      submit={text('save')}
      onSubmit={save}
      onClose={onClose}
      isDisabled={id.trim() === ''}
    >
      {!group && <TextField label={text('groups.name')} value={id} onChange={setId} isRequired />}
      <TextField label={text('groups.label')} value={label} onChange={setLabel} />
      <IdList label={text('groups.users')} reference={{ to: 'user' }} ids={memberUsers} onChange={setUsers} />
      <IdList
        label={text('groups.groups')}
        reference={{ to: 'group' }}
        ids={memberGroups}
        onChange={setGroups}
      />
    </FormDialog>
  );
}

/** A form for editing a group. It is shown once the group's members have been loaded. */
function EditGroup({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, isFetchedAfterMount } = useAnswer(groupPage, { id }, { staleTime: 0 });
  return data && isFetchedAfterMount ? <GroupForm group={data.group} onClose={onClose} /> : <Loading />;
}

export function Groups() {
  const [address] = useSearchParams();
  const [term, setTerm] = useState(address.get('name') ?? '');
  const [edited, setEdited] = useState<string>();
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<string>();
  const pages = usePages(groups, { term: term || '*' }, (data) => data.groups);
  return (
    <section className="card">
      <div className="card-head">
        <TextField label={text('groups.find')} type="search" value={term} onChange={setTerm} />
        <Button kind="main" icon={Plus} onPress={() => setCreating(true)}>
          {text('groups.new')}
        </Button>
      </div>
      <PagedTable
        label={text('admin.groups')}
        pages={pages}
        keyOf={({ id }) => id}
        empty={text('groups.none')}
        columns={[
          { label: text('groups.name'), value: ({ id }) => id },
          { label: text('groups.label'), value: ({ grouplabel }) => grouplabel },
        ]}
        actions={({ id }) => (
          <>
            <IconButton label={`${text('edit')}: ${id}`} icon={Pencil} onPress={() => setEdited(id)} />
            <IconButton label={`${text('delete')}: ${id}`} icon={Trash2} onPress={() => setDeleted(id)} />
          </>
        )}
      />
      {isCreating && <GroupForm onClose={() => setCreating(false)} />}
      {edited !== undefined && <EditGroup id={edited} onClose={() => setEdited(undefined)} />}
      {deleted !== undefined && (
        <Confirm
          {...deletion(deleted)}
          onConfirm={() => send(deleteGroup, { id: deleted })}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </section>
  );
}
