import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { post, Refusal, readShared } from './client.ts';
import { Frame } from './frame.tsx';
import { Listing } from './listing.tsx';
import { SharedDocumentView } from './shared-document.tsx';
import { PasswordForm, SignInByMail } from './sign-in.tsx';

/**
 * The page that the URL fragment identifies: a sharing link by its token, a document by its id, or the list of shared
 * documents.
 */
type Place = { readonly token: string } | { readonly id: string } | Record<string, never>;

function placeIn(fragment: string): Place {
  const value = fragment.replace(/^#/, '');
  const [, id] = /^id=([\w-]+)$/.exec(value) ?? [];
  if (id !== undefined) return { id };
  return value === '' ? {} : { token: value };
}

/** Opens a sharing link and shows the document. Opening the link also removes the token from the URL. */
function OpenLink({ token }: { readonly token: string }) {
  const open = async (password?: string) => {
    await post('open', { token, password });
    const { entries } = await readShared(0);
    const [only] = entries;
    location.replace(entries.length === 1 && only ? `share/#id=${only.uid}` : 'share/#');
    return true;
  };
  const { error } = useQuery({ queryKey: ['open', token], queryFn: () => open() });
  if (error instanceof Refusal && error.status === 401) return <PasswordForm onPassword={open} />;
  return <Frame>{error ? <Failure error={error} /> : <Loading />}</Frame>;
}

/** Lists the documents that are shared with the guest, or shows the sign-in form. */
function Shared() {
  const { data, error, refetch } = useQuery({ queryKey: ['shared'], queryFn: () => readShared(0) });
  if (error instanceof Refusal && error.status === 401)
    return <SignInByMail onSignedIn={() => void refetch()} />;
  return (
    <Frame>
      <h1>{text('share.title')}</h1>
      {error ? <Failure error={error} /> : data ? <Listing first={data} read={readShared} /> : <Loading />}
    </Frame>
  );
}

/** The page for guests, who have no account. */
export function Share() {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const changed = () => setFragment(location.hash);
    window.addEventListener('hashchange', changed);
    return () => window.removeEventListener('hashchange', changed);
  }, []);
  const place = placeIn(fragment);
  if ('token' in place && place.token) return <OpenLink token={place.token} />;
  if ('id' in place && place.id) return <SharedDocumentView key={place.id} id={place.id} />;
  return <Shared />;
}
