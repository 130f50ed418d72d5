import { BookOpen, FolderPlus, KeyRound, type LucideIcon, Mail, Sparkles, Users } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { useNavigate } from 'react-router';
import { settingsDialog } from '../app/places.ts';
import { useSession } from '../app/session.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import { createDocument, documentsOfType } from '../graphql/operations.ts';
import { browseAddress } from '../listing/address.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { attempt } from '../parts/notices.tsx';
import { type TextKey, text } from '../texts/text.ts';

/** The folder with the workspaces of a new server. */
const workspaces = '/default-domain/workspaces';

const create = async (parent: string, type: string, title: string, properties: object = {}) => {
  const document = { type, name: title, properties: { 'dc:title': title, ...properties } };
  return (await send(createDocument, { parent, document })).createDocument;
};

/** Creates a workspace with a few documents, which can be moved to the trash like any other. */
async function createSample(): Promise<string> {
  const { path } = await create(workspaces, 'Workspace', text('setup.sample.title'));
  const folder = await create(path, 'Folder', text('setup.sample.folder'));
  const note = { 'note:mime_type': 'text/markdown', 'note:note': text('setup.sample.note') };
  await create(path, 'Note', text('setup.sample.noteTitle'), note);
  await create(folder.path, 'Note', text('setup.sample.second'), {
    'note:mime_type': 'text/markdown',
    'note:note': text('setup.sample.secondNote'),
  });
  return path;
}

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
 * The first steps on a new server, for administrators. It disappears when there is a workspace.
 */
export function Setup() {
  const { user } = useSession();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const query = `SELECT * FROM Workspace WHERE ecm:path STARTSWITH '${workspaces}' AND ecm:isVersion = 0`;
  const { data } = useAnswer(documentsOfType, { query }, { enabled: user.isAdministrator });
  if (data?.search.resultsCount !== 0) return null;
  const open = async (path: string) => {
    await refresh();
    void navigate(browseAddress(path));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => open((await create(workspaces, 'Workspace', name.trim())).path));
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
            <DocsLink page="authentication">{text('setup.signOn')}</DocsLink>
          </div>
        </Step>
        <Step icon={Mail} title="setup.mail">
          <div>
            <DocsLink page="collaboration">{text('setup.mailSettings')}</DocsLink>
          </div>
        </Step>
        <Step icon={Sparkles} title="setup.sample">
          <div>
            <Button onPress={() => void attempt(async () => open(await createSample()))}>
              {text('setup.sample.create')}
            </Button>
          </div>
        </Step>
      </ol>
    </section>
  );
}
