import { contents } from 'virtual:docs-contents';
import { List, Search } from 'lucide-react';
import { Fragment, lazy, Suspense, useState } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { Link, NavLink, Route, Routes, useLocation, useSearchParams } from 'react-router';
import { beganSignedIn } from '../app/session.ts';
import { IconButton } from '../parts/button.tsx';
import { SkipLink } from '../parts/skip-link.tsx';
import { Loading } from '../parts/states.tsx';
import { DocumentPage } from './document-page.tsx';
import { SignedInContext } from './reference/description.ts';
import { OperationPage } from './reference/operation-page.tsx';
import { Reference } from './reference/reference.tsx';
import { Results } from './results.tsx';

const PartsPage = lazy(async () => ({ default: (await import('./parts-page.tsx')).PartsPage }));

const addressOf = (name: string): string => (name === 'readme' ? '/' : `/${name}`);

/** The pages in groups, with the sections of the page that is shown. */
function Contents({ isOpen }: { readonly isOpen: boolean }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Contents" className={isOpen ? 'contents open' : 'contents'}>
      <NavLink to="/reference" className="place">
        REST interface
      </NavLink>
      {contents.map(({ name, title, group, sections }, index) => (
        <Fragment key={name}>
          {group !== '' && group !== contents[index - 1]?.group && <p className="group">{group}</p>}
          <NavLink to={addressOf(name)} end className="place">
            {title}
          </NavLink>
          {pathname === addressOf(name) && sections.length > 1 && (
            <ul aria-label="On this page">
              {sections.map((section) => (
                <li key={section.anchor}>
                  <Link to={`${addressOf(name)}#${section.anchor}`}>{section.title}</Link>
                </li>
              ))}
            </ul>
          )}
        </Fragment>
      ))}
      <NavLink to="/parts" className="place">
        Parts of the console
      </NavLink>
    </nav>
  );
}

/**
 * The documentation site: the project's Markdown pages, and a REST reference with forms that send requests.
 */
export function Docs() {
  const [isOpen, setOpen] = useState(false);
  const [isSignedIn, setSignedIn] = useState(beganSignedIn);
  const [parameters, setParameters] = useSearchParams();
  const words = parameters.get('find') ?? '';
  return (
    <SignedInContext value={{ isSignedIn, setSignedIn }}>
      <div className="docs">
        <SkipLink label="Skip to content" />
        <header className="top">
          <NavLink to="/" className="brand">
            Quire
          </NavLink>
          <search className="find">
            <Search size={16} aria-hidden />
            <SearchField
              aria-label="Search the documentation"
              value={words}
              onChange={(value) =>
                setParameters(value === '' ? {} : { find: value }, { replace: words !== '' })
              }
            >
              <Input placeholder="Search the documentation" />
            </SearchField>
          </search>
          <a href="./">Console</a>
          <span className="only-narrow">
            <IconButton
              label="Contents"
              icon={List}
              onPress={() => setOpen(!isOpen)}
              aria-expanded={isOpen}
            />
          </span>
        </header>
        <Contents isOpen={isOpen} />
        <main id="screen" tabIndex={-1}>
          {words === '' ? (
            <Routes>
              <Route path="/reference" element={<Reference />} />
              <Route path="/reference/:operationId" element={<OperationPage />} />
              <Route
                path="/parts"
                element={
                  <Suspense fallback={<Loading />}>
                    <PartsPage />
                  </Suspense>
                }
              />
              <Route path="/*" element={<DocumentPage />} />
            </Routes>
          ) : (
            <Results words={words} />
          )}
        </main>
      </div>
    </SignedInContext>
  );
}
