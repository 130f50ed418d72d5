import './styles/base.css';
import './styles/parts.css';
import './styles/top.css';
import './styles/shell.css';
import './styles/lists.css';
import './styles/actions.css';
import './styles/kinds.css';
import './styles/screens.css';
import './styles/viewer.css';
import './styles/writing.css';
import './styles/home.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { App } from './app/app.tsx';
import { applyLook } from './app/look.ts';
import { queries } from './graphql/queries.ts';
import { showCutTexts } from './parts/cut-texts.ts';
import { language } from './texts/language.ts';

const place = document.getElementById('app');
if (!place) throw new Error('The page has no element with the id "app".');

document.documentElement.lang = language();
applyLook();
showCutTexts();
createRoot(place).render(
  <QueryClientProvider client={queries}>
    <BrowserRouter
      basename={new URL(document.baseURI).pathname.replace(/\/$/, '') || '/'}
      // React discards a transition if a later one starts before it ends, so a canceled form could remain on the
      // screen.
      useTransitions={false}
    >
      <App />
    </BrowserRouter>
  </QueryClientProvider>,
);
