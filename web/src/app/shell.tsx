import {
  Bell,
  BookOpen,
  ClipboardCheck,
  Folder,
  KeyRound,
  Layers,
  LogOut,
  Search,
  Settings,
  ShieldCheck,
  Star,
  Trash2,
} from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { NavLink, useNavigate } from 'react-router';
import { version } from '../../../package.json';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { changeNotifications } from '../graphql/operations.ts';
import { BulkPanel } from '../listing/bulk-panel.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { useKeptScroll } from '../parts/kept-scroll.ts';
import { Menu } from '../parts/menu.tsx';
import { OfflineBar } from '../parts/offline.tsx';
import { SkipLink } from '../parts/skip-link.tsx';
import { Loading } from '../parts/states.tsx';
import { chooseLanguage, language, languages } from '../texts/language.ts';
import { text } from '../texts/text.ts';
import { ExistingDialog } from '../uploads/existing-dialog.tsx';
import { UploadPanel } from '../uploads/upload-panel.tsx';
import { ChangeNotifications } from './change-notifications.tsx';
import { ChangePassword } from './change-password.tsx';
import { FindBox } from './find-box.tsx';
import { Screens } from './screens.tsx';
import { useSession } from './session.ts';

function UserMenu() {
  const { user, signOut, redraw } = useSession();
  const navigate = useNavigate();
  const [changing, setChanging] = useState<'password' | 'notifications'>();
  const close = () => setChanging(undefined);
  const other = languages.find((each) => each !== language()) ?? 'en';
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
          {
            id: 'notifications',
            label: text('notifications'),
            icon: Bell,
            onAction: () => setChanging('notifications'),
          },
          {
            id: 'account',
            label: text('account.title'),
            icon: ShieldCheck,
            onAction: () => void navigate('/account'),
          },
          {
            id: 'password',
            label: text('password.change'),
            icon: KeyRound,
            onAction: () => setChanging('password'),
          },
          {
            id: 'docs',
            label: text('nav.docs'),
            icon: BookOpen,
            onAction: () => location.assign(new URL('docs', document.baseURI)),
          },
          { id: 'sign-out', label: text('nav.signOut'), icon: LogOut, onAction: signOut },
        ]}
      />
      {changing === 'notifications' && <ChangeNotifications onClose={close} />}
      {changing === 'password' && <ChangePassword onClose={close} />}
    </>
  );
}

function Navigation() {
  const { user } = useSession();
  const places = [
    { to: '/browse', label: text('nav.browse'), icon: Folder },
    { to: '/search', label: text('nav.search'), icon: Search },
    { to: '/tasks', label: text('nav.tasks'), icon: ClipboardCheck },
    { to: '/favorites', label: text('nav.favorites'), icon: Star },
    { to: '/collections', label: text('collections'), icon: Layers },
    { to: '/trash', label: text('nav.trash'), icon: Trash2 },
    ...(user.isAdministrator ? [{ to: '/admin', label: text('nav.admin'), icon: Settings }] : []),
  ];
  return (
    <nav aria-label={text('nav.main')} className="places">
      {places.map(({ to, label, icon: Icon }) => (
        <NavLink key={to} to={to} className="place">
          <Icon size={18} aria-hidden />
          <span>{label}</span>
        </NavLink>
      ))}
    </nav>
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

export const Shell = () => (
  <div className="shell">
    <SkipLink label={text('nav.skip')} />
    <header className="top">
      <NavLink to="/browse" className="brand" title={`Quire ${version}`}>
        Quire
      </NavLink>
      <FindBox />
      <UserMenu />
    </header>
    <OfflineBar />
    <Navigation />
    <ScreenArea />
    <div className="panels">
      <BulkPanel />
      <UploadPanel />
      <ExistingDialog />
    </div>
  </div>
);
