import { Check, Download, FolderOpen, MoreHorizontal, Pencil, Plus, Star, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useTitle } from '../app/title.ts';
import { DocumentIcon } from '../listing/icon.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { Bar } from '../parts/bar.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { Chips } from '../parts/chips.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Checkbox, Select, TextField } from '../parts/fields.tsx';
import { Menu } from '../parts/menu.tsx';
import { Notices, notify } from '../parts/notices.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { sizeText, Time } from '../parts/time.tsx';

const colors = [
  'page',
  'paper',
  'raised',
  'ink',
  'soft',
  'line',
  'accent',
  'accent-tint',
  'fault',
  'fault-tint',
  'good',
  'good-tint',
  'warm',
  'warm-tint',
];

const kinds: ReadonlyArray<readonly [label: string, type: string, mimeType?: string]> = [
  ['Folder', 'Folder'],
  ['Workspace', 'Workspace'],
  ['Note', 'Note'],
  ['Picture', 'Picture'],
  ['PDF', 'File', 'application/pdf'],
  ['Text', 'File', 'application/msword'],
  ['Sheet', 'File', 'text/csv'],
  ['Slides', 'File', 'application/vnd.ms-powerpoint'],
  ['Audio', 'Audio'],
  ['Video', 'Video'],
  ['Archive', 'File', 'application/zip'],
  ['Mail', 'File', 'message/rfc822'],
  ['Code', 'File', 'application/json'],
  ['Collection', 'Collection'],
  ['File', 'File', 'application/octet-stream'],
];

const people = [
  'Ann Lee',
  'Bob Baker',
  'Carol',
  'Dai Nakamura',
  'Édith Roy',
  'Frank Ö',
  'Grace Kim',
  'Heidi',
];

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="part">
    <h2>{title}</h2>
    <div className="part-examples">{children}</div>
  </section>
);

function Inputs() {
  const [typed, setTyped] = useState('Minutes of May');
  const [format, setFormat] = useState<string>('markdown');
  const [isOn, setOn] = useState(true);
  return (
    <Part title="Fields">
      <TextField label="Title" value={typed} onChange={setTyped} isRequired hint="Shown in lists." />
      <TextField label="Email" value="nowhere" onChange={() => {}} error="Enter an email address." />
      <TextField label="Description" rows={2} value="" onChange={() => {}} />
      <Select
        label="Format"
        value={format}
        onChange={setFormat}
        options={[
          { id: 'markdown', label: 'Markdown' },
          { id: 'text', label: 'Plain text' },
        ]}
      />
      <Checkbox label="Send emails" isSelected={isOn} onChange={setOn} />
      <Checkbox label="Some of them" isSelected={false} isIndeterminate onChange={() => {}} />
    </Part>
  );
}

/** Shows all parts from which the screens of the console are made, so that changes to them can be judged together. */
export function PartsPage() {
  const [isOpen, setOpen] = useState(false);
  const [chips, setChips] = useState<readonly string[]>(['contract', '2026', 'signed']);
  useTitle('Parts of the console');
  return (
    <article className="document parts-page">
      <h1>Parts of the console</h1>
      <p>
        The screens consist of these components of <code>web/src/parts/</code>. Colors are variables of{' '}
        <code>base.css</code>, which follow the color scheme of the browser.
      </p>
      <Part title="Buttons">
        <Button kind="main" icon={Plus}>
          Main
        </Button>
        <Button icon={Download}>Plain</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger" icon={Trash2}>
          Dangerous
        </Button>
        <Button isDisabled>Disabled</Button>
        <IconButton label="Favorite" icon={Star} />
        <IconButton label="Edit" icon={Pencil} isDisabled />
        <Menu
          label="Actions"
          trigger={
            <AriaButton className="icon-button" aria-label="Actions">
              <MoreHorizontal size={18} aria-hidden />
            </AriaButton>
          }
          entries={[
            { id: 'edit', label: 'Edit', icon: Pencil, onAction: () => {} },
            { id: 'trash', label: 'Move to trash', icon: Trash2, isDangerous: true, onAction: () => {} },
          ]}
        />
      </Part>
      <Inputs />
      <Part title="Badges, chips, banners">
        <span className="badge state-project">Draft</span>
        <span className="badge state-approved">Approved</span>
        <span className="badge state-obsolete">Obsolete</span>
        <span className="badge">Version 1.2</span>
        <Chips
          label="Tags"
          names={chips}
          onRemove={(removed) => setChips(chips.filter((name) => !removed.includes(name)))}
        />
        <p className="banner">This document is in the trash.</p>
      </Part>
      <Part title="People">
        {people.map((name) => (
          <span key={name} className="person">
            <Avatar id={name} name={name} /> {name}
          </span>
        ))}
      </Part>
      <Part title="Kinds of documents">
        {kinds.map(([label, type, mimeType]) => (
          <span key={label} className="person">
            <DocumentIcon
              type={type}
              facets={type === 'Folder' ? ['Folderish'] : []}
              blob={mimeType === undefined ? null : { mimeType }}
            />{' '}
            {label}
          </span>
        ))}
      </Part>
      <Part title="States">
        <Loading />
        <Failure error={new Error('The document /nowhere does not exist.')} />
        <Bar label="Upload" value={3} all={8} />
        <Empty
          icon={FolderOpen}
          hint="Drop files or folders here."
          action={<Button icon={Plus}>New document</Button>}
        >
          This folder is empty.
        </Empty>
      </Part>
      <Part title="Values">
        <Time at="2026-11-30T12:00:00Z" />
        <span>{sizeText(1_234_567)}</span>
        <span className="good">Healthy</span>
        <span className="bad">Failed</span>
        <mark>found words</mark>
        <span className="hint">A hint</span>
      </Part>
      <Part title="Notifications and dialogs">
        <Button onPress={() => notify({ kind: 'done', message: 'Saved' })}>Success</Button>
        <Button
          onPress={() =>
            notify({ kind: 'done', message: 'Moved to the trash (2)', undo: () => Promise.resolve() })
          }
        >
          With undo
        </Button>
        <Button onPress={() => notify({ kind: 'note', message: 'Your changes are not saved.' })}>Note</Button>
        <Button
          onPress={() =>
            notify({ kind: 'failed', message: '1 document failed', details: ['a.pdf: locked by ann'] })
          }
        >
          Failure
        </Button>
        <Button onPress={() => setOpen(true)}>Dialog</Button>
      </Part>
      <Part title="Colors">
        {colors.map((name) => (
          <span key={name} className="person">
            <span className="swatch" style={{ background: `var(--${name})` }} aria-hidden /> {name}
          </span>
        ))}
      </Part>
      <Notices />
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <p>The text of the dialog.</p>
          <footer className="dialog-foot">
            <Button kind="main" icon={Check} onPress={() => setOpen(false)}>
              OK
            </Button>
          </footer>
        </Dialog>
      )}
    </article>
  );
}
