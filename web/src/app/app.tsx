import { useEffect, useState } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { useHref, useLocation, useNavigate } from 'react-router';
import { dropClipboard } from '../actions/clipboard.ts';
import { close } from '../actions/open.ts';
import { forgetStoredDrafts } from '../document/drafts.ts';
import { onSignedOut, useAnswer } from '../graphql/client.ts';
import { me } from '../graphql/operations.ts';
import { queries } from '../graphql/queries.ts';
import { dropBulks } from '../listing/bulk.ts';
import { dropList } from '../listing/neighbours.tsx';
import { attempt, dropNotices, Notices } from '../parts/notices.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { language } from '../texts/language.ts';
import { dropUploads } from '../uploads/uploads.ts';
import { dropPreferences, startPreferences } from './preferences.ts';
import { loadScreenAt } from './screens.tsx';
import { beganSignedIn, endSession, SessionContext } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { dropViewedUser } from './view-as.ts';

/** Returns the full name of a user, or the id if the user has no name. */
function nameOf(id: string, properties: unknown): string {
  const { firstName, lastName } = properties as { firstName?: string | null; lastName?: string | null };
  return [firstName, lastName].filter(Boolean).join(' ') || id;
}

/**
 * Removes everything that the next user of this page must not see. Unsaved drafts of documents are kept, because they
 * are stored separately for each user.
 */
function forgetUser(): void {
  queries.clear();
  dropViewedUser();
  close();
  dropClipboard();
  dropBulks();
  dropList();
  dropUploads();
  dropNotices();
  dropPreferences();
}

function SignedIn({ onSignOut, redraw }: { readonly onSignOut: () => void; readonly redraw: () => void }) {
  const { pathname } = useLocation();
  useEffect(() => loadScreenAt(pathname), [pathname]);
  const { data, error } = useAnswer(me, {}, { staleTime: Number.POSITIVE_INFINITY });
  const [isReady, setReady] = useState(false);
  const id = data?.me.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: later answers can be older than what the user has chosen since
  useEffect(() => {
    if (!data) return;
    startPreferences(data.preferences);
    setReady(true);
  }, [id]);
  if (error) return <Failure error={error} />;
  if (!data || !isReady) return <Loading />;
  const { isAdministrator, properties } = data.me;
  const user = { id: data.me.id, isAdministrator, name: nameOf(data.me.id, properties) };
  const signOut = () => void attempt(() => endSession().then(forgetStoredDrafts).then(onSignOut));
  return (
    <SessionContext value={{ user, signOut, redraw }}>
      <Shell />
      <SignInAgain username={user.id} onLeave={onSignOut} />
    </SessionContext>
  );
}

export function App() {
  const navigate = useNavigate();
  const [isSignedIn, setSignedIn] = useState(beganSignedIn);
  const [renderCount, setRenderCount] = useState(0);
  // Both signing in and signing out clear the page. Otherwise, a request that fails after the user has signed out would
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
              queries.clear(); // Cached responses contain labels in the previous language.
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
