import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { IconButton } from '../parts/button.tsx';
import { Loading } from '../parts/states.tsx';
import { countText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { contentAddress } from './content-address.ts';
import { FullScreenButton, toggleFullScreen } from './full-screen.tsx';
import { type FoundPart, findWords, loadLayout, type Match, type PageLayout } from './layout.ts';
import { TextLayer } from './text-layer.tsx';
import { ZoomButtons } from './zoom-buttons.tsx';

const step = 1.25;
const [minZoom, maxZoom] = [0.5, 5];

/** The sizes of the pictures of pages: the length of the longer side in pixels. */
const sizes = [1_200, 2_000, 3_200] as const;

/** How far outside the window, in pixels, pages are already drawn. */
const margin = 800;

/** Whether an element is in or near the visible part of the list of pages. */
function useIsNear() {
  const element = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root: element.current.parentElement,
      rootMargin: `${margin}px`,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, isNear };
}

interface PageProps {
  readonly page: PageLayout;
  readonly label: string;
  readonly src: string;
  readonly zoom: number;
  readonly found: ReadonlyArray<FoundPart & { readonly isCurrent: boolean }>;
}

function Page({ page, label, src, zoom, found }: PageProps) {
  const { element, isNear } = useIsNear();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a page is not a group of fields
    <div
      ref={element}
      className="pdf-page"
      role="group"
      aria-label={label}
      style={{
        width: `${zoom * 100}%`,
        maxWidth: `${zoom * 58}rem`,
        aspectRatio: `${page.width} / ${page.height}`,
      }}
    >
      {isNear && (
        <>
          <img src={src} alt={page.lines.length > 0 ? '' : label} draggable={false} />
          <TextLayer page={page} found={found} />
        </>
      )}
    </div>
  );
}

interface FindProps {
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly matches: readonly Match[];
  readonly current: number;
  readonly onGo: (index: number) => void;
}

/** A field that finds words in the pages, with buttons that go from one match to the next. */
function Find({ words, onWords, matches, current, onGo }: FindProps) {
  const next = (by: number) => matches.length > 0 && onGo((current + by + matches.length) % matches.length);
  return (
    <search className="pages-find">
      <SearchField
        aria-label={text('pages.find')}
        value={words}
        onChange={onWords}
        onKeyDown={(event) => event.key === 'Enter' && next(event.shiftKey ? -1 : 1)}
      >
        <Input className="input" placeholder={text('pages.find')} />
      </SearchField>
      <span role="status" className="hint">
        {words.trim() !== '' &&
          (matches.length === 0
            ? text('pages.notFound')
            : text('pages.match', { place: countText(current + 1), all: countText(matches.length) }))}
      </span>
      <IconButton
        label={text('pages.previous')}
        icon={ChevronUp}
        isDisabled={matches.length === 0}
        onPress={() => next(-1)}
      />
      <IconButton
        label={text('pages.next')}
        icon={ChevronDown}
        isDisabled={matches.length === 0}
        onPress={() => next(1)}
      />
    </search>
  );
}

/** The number of the page in the upper third of the visible part. */
function pageAt(stage: HTMLElement): number {
  const place = stage.scrollTop + stage.clientHeight / 3;
  const pages = [...stage.children] as HTMLElement[];
  const after = pages.findIndex(({ offsetTop }) => offsetTop > place);
  return after < 0 ? pages.length : Math.max(1, after);
}

interface PagesProps {
  /** The address of the preview, from which those of the layout and the pictures are derived. */
  readonly source: string;
  readonly content: string;
  readonly title: string;
  readonly onError: () => void;
}

/**
 * Shows the pages of a PDF, or of a file that the server converts to one. The server draws the pages; their text lies
 * over the pictures, so it can be selected and found.
 */
export function Pages({ source, content, title, onError }: PagesProps) {
  const stage = useRef<HTMLElement>(null);
  const viewer = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(0);
  const [shownPage, setShownPage] = useState(1);
  const conversion = source.replace('/@preview', '/@convert');
  const { data: pages, error } = useQuery({
    queryKey: ['layout', conversion, content],
    queryFn: () => loadLayout(contentAddress(conversion, content, { converter: 'any2layout' })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (error) onError();
  }, [error, onError]);
  const sought = useDeferredValue(words);
  const matches = useMemo(() => findWords(pages ?? [], sought), [pages, sought]);
  const current = Math.min(chosen, Math.max(0, matches.length - 1));
  useEffect(() => {
    const match = matches[current];
    const [part] = match?.parts ?? [];
    const page = match && (stage.current?.children[match.page] as HTMLElement | undefined);
    const layout = match && pages?.[match.page];
    if (!stage.current || !page || !layout || !part) return;
    const [, top = 0] = layout.lines[part.line] ?? [];
    const place = page.offsetTop + (top / layout.height) * page.offsetHeight;
    stage.current.scrollTo({ top: place - stage.current.clientHeight / 3 });
  }, [matches, current, pages]);
  if (!pages) return <Loading />;
  const zoomBy = (factor: number) =>
    setZoom((now) => Math.min(maxZoom, Math.max(minZoom, Math.round(now * factor * 100) / 100)));
  const fit = () => setZoom(1);
  const find = () => viewer.current?.querySelector('input')?.focus();
  const keys: Readonly<Record<string, () => unknown>> = {
    '+': () => zoomBy(step),
    '=': () => zoomBy(step),
    '-': () => zoomBy(1 / step),
    0: fit,
    f: toggleFullScreen,
    '/': find,
  };
  const press = (event: KeyboardEvent) => {
    const isFind = event.key === 'f' && (event.ctrlKey || event.metaKey);
    if (isFind) find();
    else if (event.ctrlKey || event.metaKey || event.altKey || event.target !== stage.current) return;
    else if (!keys[event.key]) return;
    else keys[event.key]?.();
    event.preventDefault();
  };
  const wanted = (stage.current?.clientWidth ?? 800) * zoom * devicePixelRatio;
  const srcOf = (index: number, { width, height }: PageLayout): string => {
    const length = (wanted * Math.max(width, height)) / Math.max(width, 1);
    const size = sizes.find((each) => each >= length) ?? sizes.at(-1);
    const parameters = { type: 'image/jpeg', page: String(index + 1), size: String(size) };
    return contentAddress(conversion, content, parameters);
  };
  const foundOn = (index: number) =>
    matches.flatMap(({ page, parts }, place) =>
      page === index ? parts.map((part) => ({ ...part, isCurrent: place === current })) : [],
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys also work while a button of the bar has the focus
    <div ref={viewer} className="pages" onKeyDown={press}>
      <div className="viewer-bar" role="toolbar" aria-label={title}>
        <ZoomButtons
          zoom={zoom}
          step={step}
          limits={{ min: minZoom, max: maxZoom }}
          zoomBy={zoomBy}
          onFit={fit}
        />
        <span className="hint">
          {text('pages.place', { place: countText(shownPage), all: countText(pages.length) })}
        </span>
        <Find
          words={words}
          onWords={(typed) => {
            setWords(typed);
            setChosen(0);
          }}
          matches={matches}
          current={current}
          onGo={setChosen}
        />
        <FullScreenButton />
      </div>
      <section
        ref={stage}
        className="pages-stage"
        aria-label={text('pages.all', { title })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that keyboard users can scroll and zoom it
        tabIndex={0}
        onScroll={({ currentTarget }) => setShownPage(pageAt(currentTarget))}
      >
        {pages.map((page, index) => (
          <Page
            // biome-ignore lint/suspicious/noArrayIndexKey: pages have no identity other than their position
            key={index}
            page={page}
            label={text('pages.page', { place: index + 1 })}
            src={srcOf(index, page)}
            zoom={zoom}
            found={foundOn(index)}
          />
        ))}
      </section>
    </div>
  );
}
