import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { useTitle } from '../app/title.ts';
import { Loading } from '../parts/states.tsx';
import { TabLinks } from '../parts/tabs.tsx';
import { text } from '../texts/text.ts';

const sections = {
  users: lazy(async () => ({ default: (await import('./users.tsx')).Users })),
  groups: lazy(async () => ({ default: (await import('./groups.tsx')).Groups })),
  vocabularies: lazy(async () => ({ default: (await import('./vocabularies.tsx')).Vocabularies })),
  model: lazy(async () => ({ default: (await import('./content-model.tsx')).ContentModel })),
  jobs: lazy(async () => ({ default: (await import('./jobs.tsx')).Jobs })),
  webhooks: lazy(async () => ({ default: (await import('./webhooks.tsx')).Webhooks })),
  tokens: lazy(async () => ({ default: (await import('./tokens.tsx')).Tokens })),
  audit: lazy(async () => ({ default: (await import('./audit.tsx')).Audit })),
  health: lazy(async () => ({ default: (await import('./health.tsx')).Health })),
} as const;

const names = Object.keys(sections) as Array<keyof typeof sections>;

/** The administration, which only administrators see. */
export function Admin() {
  const { '*': section } = useParams();
  const shown = names.find((name) => name === section);
  useTitle(text(shown ? `admin.${shown}` : 'nav.admin'));
  return (
    <>
      <header className="screen-head">
        <h1>{text('nav.admin')}</h1>
      </header>
      <TabLinks
        label={text('nav.admin')}
        links={names.map((name) => ({ to: `/admin/${name}`, label: text(`admin.${name}`) }))}
      />
      <Suspense fallback={<Loading />}>
        <Routes>
          <Route index element={<Navigate to="users" replace />} />
          {names.map((name) => {
            const Section = sections[name];
            return <Route key={name} path={name} element={<Section />} />;
          })}
          <Route path="*" element={<Navigate to="/admin/users" replace />} />
        </Routes>
      </Suspense>
    </>
  );
}
