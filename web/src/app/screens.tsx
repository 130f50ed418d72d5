import { lazy } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { NotFound } from './not-found.tsx';
import { useSession } from './session.ts';

const Browse = lazy(async () => ({ default: (await import('../browse/browse.tsx')).Browse }));
const DocumentPage = lazy(async () => ({
  default: (await import('../document/document-page.tsx')).DocumentPage,
}));
const Search = lazy(async () => ({ default: (await import('../search/search.tsx')).Search }));
const Tasks = lazy(async () => ({ default: (await import('../tasks/tasks.tsx')).Tasks }));
const Favorites = lazy(async () => ({ default: (await import('../search/favorites.tsx')).Favorites }));
const Trash = lazy(async () => ({ default: (await import('../search/trash.tsx')).Trash }));
const Admin = lazy(async () => ({ default: (await import('../admin/admin.tsx')).Admin }));

/** Every screen with its address; each is loaded when it is first opened. */
export function Screens() {
  const { user } = useSession();
  return (
    <Routes>
      <Route index element={<Navigate to="/browse" replace />} />
      <Route path="browse/*" element={<Browse />} />
      <Route path="document/:id/:tab?" element={<DocumentPage />} />
      <Route path="search" element={<Search />} />
      <Route path="tasks" element={<Tasks />} />
      <Route path="favorites" element={<Favorites />} />
      <Route path="trash" element={<Trash />} />
      {user.isAdministrator && <Route path="admin/*" element={<Admin />} />}
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
