import { contents } from 'virtual:docs-contents';
import { documents } from 'virtual:docs-documents';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { useLocation, useParams } from 'react-router';
import { useTitle } from '../app/title.ts';
import { Loading } from '../parts/states.tsx';

/** A page of the documentation. The build renders its HTML from files of the project only, so it is safe to insert. */
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
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the build makes the HTML from files of the project
  return <article className="document" dangerouslySetInnerHTML={{ __html: html }} />;
}
