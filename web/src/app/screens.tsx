import { type ComponentType, lazy } from 'react';
import { matchPath, Navigate, Route, Routes } from 'react-router';
import { NotFound } from './not-found.tsx';
import { useSession } from './session.ts';

interface Screen {
  readonly path: string;
  readonly load: () => Promise<ComponentType>;
  readonly isForAdministrators?: boolean;
}

/** All screens and their paths. The code of a screen is loaded when the screen is first opened. */
const screens = (
  [
    { path: 'home', load: async () => (await import('../home/home.tsx')).Home },
    { path: 'inbox', load: async () => (await import('../inbox/inbox.tsx')).Inbox },
    { path: 'browse/*', load: async () => (await import('../browse/browse.tsx')).Browse },
    {
      path: 'document/:id/:tab?',
      load: async () => (await import('../document/document-page.tsx')).DocumentPage,
    },
    { path: 'search', load: async () => (await import('../search/search.tsx')).Search },
    { path: 'tasks', load: async () => (await import('../tasks/tasks.tsx')).Tasks },
    { path: 'favorites', load: async () => (await import('../search/favorites.tsx')).Favorites },
    { path: 'collections', load: async () => (await import('../search/collections.tsx')).Collections },
    { path: 'trash', load: async () => (await import('../search/trash.tsx')).Trash },
    { path: 'account', load: async () => (await import('../account/account.tsx')).Account },
    {
      path: 'admin/*',
      load: async () => (await import('../admin/admin.tsx')).Admin,
      isForAdministrators: true,
    },
  ] satisfies Screen[]
).map((screen: Screen) => ({ ...screen, Content: lazy(async () => ({ default: await screen.load() })) }));

/** Starts loading the code of a screen while the page is still waiting for the user's data. */
export function loadScreenAt(pathname: string): void {
  const address = pathname === '/' ? '/home' : pathname;
  // Errors are ignored here, because rendering the screen loads its code again and reports the error.
  screens
    .find(({ path }) => matchPath(path, address))
    ?.load()
    .catch(() => {});
}

export function Screens() {
  const { user } = useSession();
  return (
    <Routes>
      <Route index element={<Navigate to="/home" replace />} />
      {screens
        .filter(({ isForAdministrators }) => user.isAdministrator || !isForAdministrators)
        .map(({ path, Content }) => (
          <Route key={path} path={path} element={<Content />} />
        ))}
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
