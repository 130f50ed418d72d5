import {
  Bell,
  BookOpen,
  CircleUserRound,
  ClipboardCheck,
  Folder,
  KeyRound,
  LogOut,
  Search,
  Settings,
  Star,
  Trash2,
} from 'lucide-react';
import { type FormEvent, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { Button as AriaButton, Form, Input, SearchField } from 'react-aria-components';
import { NavLink, useLocation, useNavigate } from 'react-router';
import { version } from '../../../package.json';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { changeNotifications } from '../graphql/operations.ts';
import { BulkPanel } from '../listing/bulk-panel.tsx';
import { Menu } from '../parts/menu.tsx';
import { SkipLink } from '../parts/skip-link.tsx';
import { Loading } from '../parts/states.tsx';
import { chooseLanguage, language, languages } from '../texts/language.ts';
import { text } from '../texts/text.ts';
import { UploadPanel } from '../uploads/upload-panel.tsx';
import { ChangeNotifications } from './change-notifications.tsx';
import { ChangePassword } from './change-password.tsx';
import { Screens } from './screens.tsx';
import { useSession } from './session.ts';

function FindBox() {
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate(`/search?words=${encodeURIComponent(words)}`);
  };
  return (
    <Form onSubmit={submit} className="find" role="search">
      <Search size={16} aria-hidden />
      <SearchField aria-label={text('nav.find')} value={words} onChange={setWords}>
        <Input placeholder={text('nav.find')} />
      </SearchField>
    </Form>
  );
}

function UserMenu() {
  const { user, signOut, redraw } = useSession();
  const [changing, setChanging] = useState<'password' | 'notifications'>();
  const close = () => setChanging(undefined);
  const other = languages.find((each) => each !== language()) ?? 'en';
  return (
    <>
      <Menu
        label={text('nav.account')}
        trigger={
          <AriaButton className="user-button" aria-label={`${text('nav.account')}: ${user.name}`}>
            <CircleUserRound size={20} aria-hidden />
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

/** The current screen. A change of address scrolls it back to the top. */
function ScreenArea() {
  const area = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of address opens another screen
  useLayoutEffect(() => {
    area.current?.scrollTo(0, 0);
  }, [pathname]);
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
    <Navigation />
    <ScreenArea />
    <div className="panels">
      <BulkPanel />
      <UploadPanel />
    </div>
  </div>
);
