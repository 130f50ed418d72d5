import { Bell, Command, LogOut } from 'lucide-react';
import { Suspense, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { NavLink, useNavigate } from 'react-router';
import { version } from '../../../package.json';
import { ActionLayer } from '../actions/action-layer.tsx';
import { opened } from '../actions/open.ts';
import { subjectAt } from '../actions/subject.ts';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { useLiveUpdates } from '../graphql/live.ts';
import { changeNotifications } from '../graphql/operations.ts';
import { refreshInbox, useInbox, useOpenTasks } from '../inbox/use-inbox.ts';
import { BulkPanel } from '../listing/bulk-panel.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { IconButton } from '../parts/button.tsx';
import { useKeptScroll } from '../parts/kept-scroll.ts';
import { Menu } from '../parts/menu.tsx';
import { OfflineBar } from '../parts/offline.tsx';
import { SkipLink } from '../parts/skip-link.tsx';
import { Loading } from '../parts/states.tsx';
import { chooseLanguage, language, languages } from '../texts/language.ts';
import { type TextKey, text } from '../texts/text.ts';
import { ExistingDialog } from '../uploads/existing-dialog.tsx';
import { UploadPanel } from '../uploads/upload-panel.tsx';
import { Brand } from './brand.tsx';
import { ChangeNotifications } from './change-notifications.tsx';
import { ChangePassword } from './change-password.tsx';
import { FindBox } from './find-box.tsx';
import { navigationFor, screensFor, settingsDialog } from './places.ts';
import { Screens } from './screens.tsx';
import { useSession } from './session.ts';
import { ViewAsBar } from './view-as-bar.tsx';

function UserMenu() {
  const { user, signOut, redraw } = useSession();
  const navigate = useNavigate();
  const changing = settingsDialog.use();
  const close = () => settingsDialog.set(undefined);
  const other = languages.find((each) => each !== language()) ?? 'en';
  const settings = screensFor(user.isAdministrator).filter(({ group }) => group === 'settings');
  return (
    <>
      <Menu
        label={text('nav.account')}
        trigger={
          <AriaButton className="user-button" aria-label={`${text('nav.account')}: ${user.name}`}>
            <Avatar id={user.id} name={user.name} />
            <span>{user.name}</span>
          </AriaButton>
        }
        entries={[
          {
            id: 'language',
            label: text('nav.otherLanguage'),
            onAction: () => {
              chooseLanguage(other);
              change(() => send(changeNotifications, { notifications: { language: other } }));
              redraw();
            },
          },
          ...settings.map(({ address, label, icon, run }) => ({
            id: address,
            label: text(label),
            icon,
            onAction: run ?? (() => void navigate(address)),
          })),
          { id: 'sign-out', label: text('nav.signOut'), icon: LogOut, onAction: signOut },
        ]}
      />
      {changing === 'notifications' && <ChangeNotifications onClose={close} />}
      {changing === 'password' && <ChangePassword onClose={close} />}
    </>
  );
}

interface CountProps {
  readonly count: number;
  readonly label: TextKey;
}

/** The number of things at a place that the user has not seen or done yet. Renders nothing if there are none. */
const Count = ({ count, label }: CountProps) =>
  count > 0 && (
    <span className="count">
      {count}
      <span className="visually-hidden"> {text(label)}</span>
    </span>
  );

function Navigation() {
  const { user } = useSession();
  const tasks = useOpenTasks()?.resultsCount ?? 0;
  const counts: Readonly<Record<string, CountProps | undefined>> = {
    '/tasks': { count: tasks, label: 'home.openTasks' },
  };
  return (
    <nav aria-label={text('nav.main')} className="places">
      {navigationFor(user.isAdministrator).map(({ address, label, icon: Icon }) => (
        <NavLink key={address} to={address} className={`place place-${address.slice(1)}`}>
          <Icon size={18} aria-hidden />
          <span>{text(label)}</span>
          {counts[address] !== undefined && <Count {...counts[address]} />}
        </NavLink>
      ))}
    </nav>
  );
}

/** The link to the inbox, with the number of unread entries. */
function InboxLink() {
  const unread = useInbox().data?.inbox.unread ?? 0;
  return (
    <NavLink to="/inbox" className="inbox-link" title={text('inbox')}>
      <Bell size={20} aria-hidden />
      <span className="visually-hidden">{text('inbox')}</span>
      <Count count={unread} label="inbox.unread" />
    </NavLink>
  );
}

/** Shows the current screen. A new screen starts at the top; the Back button restores the scroll position. */
function ScreenArea() {
  const area = useRef<HTMLElement>(null);
  useKeptScroll(area, 'screen');
  return (
    <main ref={area} id="screen" className="screen" tabIndex={-1}>
      <Suspense fallback={<Loading />}>
        <Screens />
      </Suspense>
    </main>
  );
}

export function Shell() {
  useLiveUpdates(refreshInbox);
  return <ShellParts />;
}

const ShellParts = () => (
  <div className="shell">
    <SkipLink label={text('nav.skip')} />
    <header className="top">
      <NavLink to="/home" className="brand" title={`Quire ${version}`}>
        <Brand />
      </NavLink>
      <FindBox />
      <span className="palette-button">
        <IconButton
          label={text('palette')}
          icon={Command}
          onPress={() => opened.set({ kind: 'palette', subject: subjectAt(null), typed: '' })}
        />
      </span>
      <InboxLink />
      <UserMenu />
    </header>
    <OfflineBar />
    <ViewAsBar />
    <Navigation />
    <ScreenArea />
    <ActionLayer />
    <div className="panels">
      <BulkPanel />
      <UploadPanel />
      <ExistingDialog />
    </div>
  </div>
);
