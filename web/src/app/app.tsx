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

/** The full name of a user, or the id if the user has no name. */
function nameOf(id: string, properties: unknown): string {
  const { firstName, lastName } = properties as { firstName?: string | null; lastName?: string | null };
  return [firstName, lastName].filter(Boolean).join(' ') || id;
}

/**
 * Removes everything that the next user of this page must not see. Drafts of documents stay: they are stored by user.
 */
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
  const [renderCount, setRenderCount] = useState(0);
  // Both signing in and signing out clear the page: a request that is refused after its user has left would otherwise
  // show its error to the next user.
  const changeUser = (signedIn: boolean) => {
    forgetUser();
    setSignedIn(signedIn);
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
            key={renderCount}
            onSignOut={() => changeUser(false)}
            redraw={() => {
              queries.clear(); // the cached responses contain labels in the previous language
              setRenderCount((count) => count + 1);
            }}
          />
        ) : (
          <SignIn onSignedIn={() => changeUser(true)} redraw={() => setRenderCount((count) => count + 1)} />
        )}
        {isSignedIn && <Notices />}
      </RouterProvider>
    </I18nProvider>
  );
}
