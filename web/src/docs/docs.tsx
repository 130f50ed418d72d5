import { contents } from 'virtual:docs-contents';
import { List, Search } from 'lucide-react';
import { useState } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { NavLink, Route, Routes, useSearchParams } from 'react-router';
import { beganSignedIn } from '../app/session.ts';
import { IconButton } from '../parts/button.tsx';
import { SkipLink } from '../parts/skip-link.tsx';
import { DocumentPage } from './document-page.tsx';
import { SignedInContext } from './reference/description.ts';
import { OperationPage } from './reference/operation-page.tsx';
import { Reference } from './reference/reference.tsx';
import { Results } from './results.tsx';

function Contents({ isOpen }: { readonly isOpen: boolean }) {
  return (
    <nav aria-label="Contents" className={isOpen ? 'contents open' : 'contents'}>
      <NavLink to="/reference" className="place">
        REST interface
      </NavLink>
      {contents.map(({ name, title }) => (
        <NavLink key={name} to={name === 'readme' ? '/' : `/${name}`} end className="place">
          {title}
        </NavLink>
      ))}
    </nav>
  );
}

/** The documentation: the project's Markdown pages, and the REST reference with forms that send requests. */
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
