import { useEffect, useState } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { useHref, useLocation, useNavigate } from 'react-router';
import { onSignedOut, queries, useAnswer } from '../graphql/client.ts';
import { me } from '../graphql/operations.ts';
import { dropBulks } from '../listing/bulk.ts';
import { attempt, dropNotices, Notices } from '../parts/notices.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { language } from '../texts/language.ts';
import { dropUploads } from '../uploads/uploads.ts';
import { loadScreenAt } from './screens.tsx';
import { beganSignedIn, endSession, SessionContext } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** The names of a user, as far as there are any. */
function nameOf(id: string, properties: unknown): string {
  const { firstName, lastName } = properties as { firstName?: string | null; lastName?: string | null };
  return [firstName, lastName].filter(Boolean).join(' ') || id;
}

/** What the next user of this page must not find; the drafts of documents wait for theirs. */
function forgetUser(): void {
  queries.clear();
  dropBulks();
  dropUploads();
  dropNotices();
}

function SignedIn({ onSignOut, redraw }: { readonly onSignOut: () => void; readonly redraw: () => void }) {
  const { pathname } = useLocation();
  useEffect(() => loadScreenAt(pathname), [pathname]);
  const { data, error } = useAnswer(me, {}, { staleTime: Number.POSITIVE_INFINITY });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const { id, isAdministrator, properties } = data.me;
  const user = { id, isAdministrator, name: nameOf(id, properties) };
  const signOut = () => void attempt(() => endSession().then(onSignOut));
  return (
    <SessionContext value={{ user, signOut, redraw }}>
      <Shell />
      <SignInAgain username={id} onLeave={onSignOut} />
    </SessionContext>
  );
}

export function App() {
  const navigate = useNavigate();
  const [isSignedIn, setSignedIn] = useState(beganSignedIn);
  const [drawing, setDrawing] = useState(0);
  // At both ends: what was under way is perhaps refused, and says so, after its user has left.
  const turn = (isThere: boolean) => {
    forgetUser();
    setSignedIn(isThere);
  };
  useEffect(
    () =>
      onSignedOut(async () => {
        forgetUser();
        setSignedIn(false);
        return false;
      }),
    [],
  );
  return (
    <I18nProvider locale={language()}>
      <RouterProvider navigate={(to) => void navigate(to)} useHref={useHref}>
        {isSignedIn ? (
          <SignedIn
            key={drawing}
            onSignOut={() => turn(false)}
            redraw={() => {
              queries.clear(); // answers have labels in the other language
              setDrawing((count) => count + 1);
            }}
          />
        ) : (
          <SignIn onSignedIn={() => turn(true)} redraw={() => setDrawing((count) => count + 1)} />
        )}
        {isSignedIn && <Notices />}
      </RouterProvider>
    </I18nProvider>
  );
}
