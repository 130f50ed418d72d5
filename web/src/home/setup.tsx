import { BookOpen, FolderPlus, KeyRound, LogIn, type LucideIcon, Mail, Sparkles, Users } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { useNavigate } from 'react-router';
import { settingsDialog } from '../app/places.ts';
import { useSession } from '../app/session.ts';
import { refresh, useAnswer } from '../graphql/client.ts';
import { setupState } from '../graphql/operations.ts';
import { browseAddress } from '../listing/address.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { attempt } from '../parts/notices.tsx';
import { type TextKey, text } from '../texts/text.ts';
import { RemoveSample } from './remove-sample.tsx';
import { createIn, createSample, sampleSource, workspaces } from './sample.ts';
import { SetupMail } from './setup-mail.tsx';
import { SetupSignOn } from './setup-sign-on.tsx';

interface StepProps {
  readonly icon: LucideIcon;
  readonly title: TextKey;
  readonly children: ReactNode;
}

const Step = ({ icon: Icon, title, children }: StepProps) => (
  <li className="setup-step">
    <Icon size={20} aria-hidden />
    <div className="form">
      <h3>{text(title)}</h3>
      {children}
    </div>
  </li>
);

const DocsLink = ({ page, children }: { readonly page: string; readonly children: ReactNode }) => (
  <a className="button" href={`docs/${page}`}>
    <BookOpen size={16} aria-hidden /> {children}
  </a>
);

/**
 * The first steps on a new server, for administrators. It disappears when there is a workspace, other than the sample.
 */
export function Setup() {
  const { user } = useSession();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const query = `SELECT * FROM Workspace WHERE ecm:path STARTSWITH '${workspaces}' AND ecm:isVersion = 0`;
  const { data } = useAnswer(
    setupState,
    { query, sample: `${query} AND dc:source = '${sampleSource}'` },
    { enabled: user.isAdministrator },
  );
  if (!data) return null;
  const samples = data.sample.entries;
  const isSetUp = data.all.resultsCount !== data.sample.resultsCount;
  if (isSetUp) return samples.length > 0 ? <RemoveSample samples={samples} /> : null;
  const open = async (path: string) => {
    await refresh();
    void navigate(browseAddress(path));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => open((await createIn(workspaces, 'Workspace', name.trim())).path));
  };
  return (
    <section className="card setup" aria-label={text('setup')}>
      <h2>{text('setup')}</h2>
      <ol>
        <Step icon={KeyRound} title="setup.password">
          <div>
            <Button onPress={() => settingsDialog.set('password')}>{text('password.change')}</Button>
          </div>
        </Step>
        <Step icon={FolderPlus} title="setup.workspace">
          <Form onSubmit={submit} className="setup-form">
            <TextField label={text('setup.name')} value={name} onChange={setName} />
            <Button type="submit" kind="main" isDisabled={name.trim() === ''}>
              {text('create')}
            </Button>
          </Form>
        </Step>
        <Step icon={Users} title="setup.people">
          <div className="actions">
            <ButtonLink to="/admin/users">{text('admin.users')}</ButtonLink>
          </div>
        </Step>
        <Step icon={LogIn} title="setup.signOn">
          <SetupSignOn />
          <div>
            <DocsLink page="authentication">{text('setup.signOnSettings')}</DocsLink>
          </div>
        </Step>
        <Step icon={Mail} title="setup.mail">
          <SetupMail />
          <div>
            <DocsLink page="collaboration">{text('setup.mailSettings')}</DocsLink>
          </div>
        </Step>
        <Step icon={Sparkles} title="setup.sample">
          {samples.length > 0 ? (
            <RemoveSample samples={samples} />
          ) : (
            <div>
              <Button onPress={() => void attempt(async () => open(await createSample()))}>
                {text('setup.sample.create')}
              </Button>
            </div>
          )}
        </Step>
      </ol>
    </section>
  );
}
