import {
  Activity,
  Bell,
  BookOpen,
  ClipboardCheck,
  Folder,
  HardDrive,
  HeartPulse,
  House,
  Inbox,
  Keyboard,
  KeyRound,
  Layers,
  Link2,
  ListTree,
  LogIn,
  type LucideIcon,
  ScrollText,
  Search,
  Settings,
  ShieldCheck,
  Star,
  Tags,
  Ticket,
  Trash2,
  User,
  Users,
  Webhook,
} from 'lucide-react';
import { opened } from '../actions/open.ts';
import { createStore } from '../parts/store.ts';
import type { TextKey } from '../texts/text.ts';

/** A screen, a part of one, or a dialog, which can be opened from anywhere. */
export interface Place {
  /** The address below the console's own, which also identifies the place. */
  readonly address: string;
  readonly label: TextKey;
  readonly icon: LucideIcon;
  readonly group: 'screens' | 'settings' | 'administration';
  /** Opens the place if it is not a screen. */
  readonly run?: () => void;
}

/** The dialog of the user's settings that is open. */
export const settingsDialog = createStore<'password' | 'notifications' | undefined>(undefined);

const screens: readonly Place[] = [
  { address: '/home', label: 'home', icon: House, group: 'screens' },
  { address: '/browse', label: 'nav.browse', icon: Folder, group: 'screens' },
  { address: '/search', label: 'nav.search', icon: Search, group: 'screens' },
  { address: '/tasks', label: 'nav.tasks', icon: ClipboardCheck, group: 'screens' },
  { address: '/favorites', label: 'nav.favorites', icon: Star, group: 'screens' },
  { address: '/collections', label: 'collections', icon: Layers, group: 'screens' },
  { address: '/trash', label: 'nav.trash', icon: Trash2, group: 'screens' },
];

/** The inbox has a button of its own at the top, next to the account. */
const inbox: Place = { address: '/inbox', label: 'inbox', icon: Inbox, group: 'screens' };

const settings: readonly Place[] = [
  { address: '/account', label: 'account.title', icon: ShieldCheck, group: 'settings' },
  {
    address: '#notifications',
    label: 'notifications',
    icon: Bell,
    group: 'settings',
    run: () => settingsDialog.set('notifications'),
  },
  {
    address: '#password',
    label: 'password.change',
    icon: KeyRound,
    group: 'settings',
    run: () => settingsDialog.set('password'),
  },
  {
    address: '#keys',
    label: 'keys',
    icon: Keyboard,
    group: 'settings',
    run: () => opened.set({ kind: 'keys' }),
  },
  {
    address: '#docs',
    label: 'nav.docs',
    icon: BookOpen,
    group: 'settings',
    run: () => location.assign(new URL('docs', document.baseURI)),
  },
];

/** The icons of the sections of the administration, which are listed in `admin/admin.tsx` too. */
const sections = {
  users: User,
  groups: Users,
  providers: LogIn,
  shares: Link2,
  vocabularies: Tags,
  model: ListTree,
  storage: HardDrive,
  jobs: Activity,
  webhooks: Webhook,
  tokens: Ticket,
  audit: ScrollText,
  health: HeartPulse,
} as const;

const administration: Place = {
  address: '/admin',
  label: 'nav.admin',
  icon: Settings,
  group: 'screens',
};

/** The entries of the navigation. */
export const navigationFor = (isAdministrator: boolean): readonly Place[] => [
  ...screens,
  ...(isAdministrator ? [administration] : []),
];

/** All places that a user can open. */
export const screensFor = (isAdministrator: boolean): readonly Place[] => [
  ...screens,
  inbox,
  ...settings,
  ...(isAdministrator
    ? Object.entries(sections).map(
        ([name, icon]): Place => ({
          address: `/admin/${name}`,
          label: `admin.${name as keyof typeof sections}`,
          icon,
          group: 'administration',
        }),
      )
    : []),
];
