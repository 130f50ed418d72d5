import { Eye, Files, KeyRound, Link as LinkIcon, Pencil, ShieldOff, Unlink } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useSession } from '../app/session.ts';
import { viewAs } from '../app/view-as.ts';
import { change } from '../graphql/change.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import {
  endCredentials,
  linkIdentity,
  providerNames,
  removeSecondFactor,
  type UserPageQuery,
  unlinkIdentity,
  userPage,
} from '../graphql/operations.ts';
import { documentsBy } from '../listing/address.ts';
import { Button, ButtonLink, IconButton } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { useNames } from '../values/names.ts';
import { Person } from '../values/person.tsx';
import { Identities } from './identities.tsx';
import { originText, UserForm } from './users.tsx';

type User = UserPageQuery['user'];

interface LinkFormProps {
  readonly username: string;
  readonly onClose: () => void;
}

/** Lets an administrator link an account at an identity provider to a user, who can then sign in with it. */
function LinkForm({ username, onClose }: LinkFormProps) {
  const { data } = useAnswer(providerNames, {});
  const providers = data?.identityProviders ?? [];
  const [chosen, setChosen] = useState<string>();
  const [subject, setSubject] = useState('');
  const provider = chosen ?? providers[0]?.name ?? '';
  const link = async () => {
    await send(linkIdentity, { username, provider, subject: subject.trim() });
    await refresh();
  };
  if (!data) return <Loading />;
  return (
    <FormDialog
      title={text('identities.link')}
      submit={text('identities.link')}
      onSubmit={link}
      onClose={onClose}
      isDisabled={provider === '' || subject.trim() === ''}
    >
      {providers.length === 0 && <p>{text('providers.none')}</p>}
      <Select
        label={text('identities.provider')}
        value={provider}
        onChange={setChosen}
        options={providers.map(({ name, label }) => ({ id: name, label }))}
      />
      <TextField
        label={text('identities.subject')}
        hint={text('identities.subjectHint')}
        value={subject}
        onChange={setSubject}
        autoComplete="off"
        isRequired
      />
    </FormDialog>
  );
}

function SignInCard({ user }: { readonly user: User }) {
  const { id, signIn } = user;
  const [isRemoving, setRemoving] = useState(false);
  const facts = [
    [text('users.origin'), originText(signIn)],
    [text('users.lastSignIn'), signIn.lastSignIn ? <Time key="time" at={signIn.lastSignIn} /> : '–'],
    [text('users.password'), text(signIn.hasPassword ? 'yes' : 'no')],
    [text('second.title'), text(signIn.hasSecondFactor ? 'yes' : 'no')],
  ] as const;
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('admin.providers')}</h2>
        <div className="actions">
          {signIn.hasSecondFactor && (
            <Button kind="danger" icon={ShieldOff} onPress={() => setRemoving(true)}>
              {text('users.removeFactor')}
            </Button>
          )}
          <Button
            icon={KeyRound}
            onPress={() => change(() => send(endCredentials, { id }), text('done.credentials'))}
          >
            {text('users.endCredentials')}
          </Button>
        </div>
      </div>
      <dl className="properties">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isRemoving && (
        <Confirm
          title={text('users.removeFactor')}
          question={text('users.removeFactorQuestion', { user: id })}
          submit={text('users.removeFactor')}
          done={text('done.factorRemoved')}
          onConfirm={() => send(removeSecondFactor, { username: id })}
          onClose={() => setRemoving(false)}
        />
      )}
    </section>
  );
}

function IdentitiesCard({ user: { id, signIn } }: { readonly user: User }) {
  const [isLinking, setLinking] = useState(false);
  const [unlinked, setUnlinked] = useState<User['signIn']['identities'][number]>();
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('identities.title')}</h2>
        {signIn.isLinkable && (
          <Button icon={LinkIcon} onPress={() => setLinking(true)}>
            {text('identities.link')}
          </Button>
        )}
      </div>
      {!signIn.isLinkable && <p className="hint">{text('identities.local')}</p>}
      <Identities
        identities={signIn.identities}
        actions={(identity) => (
          <IconButton
            label={`${text('identities.unlink')}: ${identity.label}, ${identity.subject}`}
            icon={Unlink}
            onPress={() => setUnlinked(identity)}
          />
        )}
      />
      {isLinking && <LinkForm username={id} onClose={() => setLinking(false)} />}
      {unlinked && (
        <Confirm
          title={text('identities.unlink')}
          question={text('identities.unlinkQuestion', { user: id, provider: unlinked.label })}
          submit={text('identities.unlink')}
          done={text('done.unlinked')}
          onConfirm={() => send(unlinkIdentity, { username: id, id: unlinked.id })}
          onClose={() => setUnlinked(undefined)}
        />
      )}
    </section>
  );
}

function AboutCard({ user }: { readonly user: User }) {
  const { id, properties, isAdministrator, signIn } = user;
  const session = useSession();
  const [isEditing, setEditing] = useState(false);
  const values = properties as Readonly<Record<string, unknown>>;
  const groups = (values.groups ?? []) as readonly string[];
  const nameOf = useNames(groups);
  const sourceOf = (property: string) =>
    signIn.managedProperties.find(({ name }) => name === property)?.label;
  const facts = [
    { label: text('users.username'), value: id },
    ...(['firstName', 'lastName', 'email', 'company'] as const).map((name) => ({
      label: text(`users.${name}`),
      value: String(values[name] ?? '') || '–',
      source: sourceOf(name),
    })),
    { label: text('admin.groups'), value: groups.map(nameOf).join(', ') || '–' },
    { label: text('users.isAdministrator'), value: text(isAdministrator ? 'yes' : 'no') },
  ];
  return (
    <section className="card">
      <div className="card-head">
        <h2>
          <Person id={id} />
        </h2>
        <div className="actions">
          <ButtonLink to={documentsBy(id)} icon={Files}>
            {text('users.documents')}
          </ButtonLink>
          {id !== session.user.id && (
            <Button icon={Eye} onPress={() => viewAs(id)}>
              {text('viewAs.user')}
            </Button>
          )}
          <Button icon={Pencil} onPress={() => setEditing(true)}>
            {text('edit')}
          </Button>
        </div>
      </div>
      <dl className="properties">
        {facts.map(({ label, value, ...more }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value}{' '}
              {'source' in more && more.source && (
                <span className="badge">{text('users.from', { provider: more.source })}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {isEditing && <UserForm user={user} onClose={() => setEditing(false)} />}
    </section>
  );
}

/** Shows a user's properties and where they come from, how the user signs in, and the linked accounts. */
export function UserPage() {
  const { id = '' } = useParams();
  const { data, error } = useAnswer(userPage, { id }, { staleTime: 0 });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const { user } = data;
  return (
    <div className="stack">
      <p>
        <ButtonLink to="/admin/users">{text('users.all')}</ButtonLink>
      </p>
      <AboutCard key={id} user={user} />
      <SignInCard user={user} />
      <IdentitiesCard user={user} />
    </div>
  );
}
