import { SearchX } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { useTitle } from '../app/title.ts';
import { Empty, Loading, WaysOn } from '../parts/states.tsx';
import { TabLinks } from '../parts/tabs.tsx';
import { text } from '../texts/text.ts';

const sections = {
  users: lazy(async () => ({ default: (await import('./users.tsx')).Users })),
  groups: lazy(async () => ({ default: (await import('./groups.tsx')).Groups })),
  providers: lazy(async () => ({ default: (await import('./providers.tsx')).Providers })),
  shares: lazy(async () => ({ default: (await import('../permissions/shares.tsx')).Shares })),
  vocabularies: lazy(async () => ({ default: (await import('./vocabularies.tsx')).Vocabularies })),
  model: lazy(async () => ({ default: (await import('./content-model.tsx')).ContentModel })),
  storage: lazy(async () => ({ default: (await import('./storage.tsx')).Storage })),
  jobs: lazy(async () => ({ default: (await import('./jobs.tsx')).Jobs })),
  webhooks: lazy(async () => ({ default: (await import('./webhooks.tsx')).Webhooks })),
  tokens: lazy(async () => ({ default: (await import('./tokens.tsx')).Tokens })),
  audit: lazy(async () => ({ default: (await import('./audit.tsx')).Audit })),
  health: lazy(async () => ({ default: (await import('./health.tsx')).Health })),
} as const;

const UserPage = lazy(async () => ({ default: (await import('./user-page.tsx')).UserPage }));

const names = Object.keys(sections) as Array<keyof typeof sections>;

/** Shows the administration section, which only administrators can see. */
export function Admin() {
  const { '*': section = '' } = useParams();
  const shown = names.find((name) => name === section);
  // The address of a user's page is `users/NAME`. The user name is the title of the page.
  const user = section.startsWith('users/') ? section.slice('users/'.length) : undefined;
  useTitle(user ?? text(shown ? `admin.${shown}` : 'nav.admin'));
  return (
    <>
      <header className="screen-head">
        <h1>{text('nav.admin')}</h1>
      </header>
      <TabLinks
        label={text('nav.admin')}
        links={names.map((name) => ({
          to: `/admin/${name}`,
          label: text(`admin.${name}`),
          hasPages: name === 'users',
        }))}
      />
      <Suspense fallback={<Loading />}>
        <Routes>
          <Route index element={<Navigate to="users" replace />} />
          {names.map((name) => {
            const Section = sections[name];
            return <Route key={name} path={name} element={<Section />} />;
          })}
          <Route path="users/:id" element={<UserPage />} />
          <Route
            path="*"
            element={
              <Empty icon={SearchX}>
                {text('notFound')}
                <WaysOn />
              </Empty>
            }
          />
        </Routes>
      </Suspense>
    </>
  );
}
