import { contents } from 'virtual:docs-contents';
import { documents } from 'virtual:docs-documents';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useLayoutEffect } from 'react';
import { useLocation, useParams } from 'react-router';
import { useTitle } from '../app/title.ts';
import { Loading } from '../parts/states.tsx';

/** The number of milliseconds for which a button says that it has copied a text. */
const copiedTime = 2_000;

/** Copies the code next to the button that was clicked. */
function copyCode({ target }: MouseEvent): void {
  const button = (target as Element).closest('.copy-code');
  const code = button?.previousElementSibling?.textContent;
  if (!button || code == null) return;
  void navigator.clipboard.writeText(code.trimEnd()).then(() => {
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, copiedTime);
  });
}

/**
 * Shows a page of the documentation. Its HTML is safe to insert, because the build generates it only from the project's
 * own files.
 */
export function DocumentPage() {
  const { '*': address = '' } = useParams();
  const name = address.replace(/\/$/, '') || 'readme';
  const { hash } = useLocation();
  const load = documents[name];
  const { data: html } = useQuery({
    queryKey: ['document', name],
    queryFn: () => load?.() ?? '<h1>This page does not exist.</h1>',
    staleTime: Number.POSITIVE_INFINITY,
  });
  useTitle(contents.find((each) => each.name === name)?.title ?? 'Documentation');
  useLayoutEffect(() => {
    if (html === undefined) return;
    if (hash === '') document.getElementById('screen')?.scrollTo(0, 0);
    else document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [html, hash]);
  if (html === undefined) return <Loading />;
  return (
    // biome-ignore-start lint: the clicks are those of buttons in the HTML, which the build makes from files of the project
    <article className="document" onClick={copyCode} dangerouslySetInnerHTML={{ __html: html }} />
    // biome-ignore-end lint: as above
  );
}
