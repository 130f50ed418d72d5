import '../styles/base.css';
import '../styles/parts.css';
import '../styles/top.css';
import '../styles/kinds.css';
import '../styles/docs.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { queries } from '../graphql/queries.ts';
import { Docs } from './docs.tsx';

const place = document.getElementById('app');
if (!place) throw new Error('The page has no element with the id "app".');

createRoot(place).render(
  <QueryClientProvider client={queries}>
    <I18nProvider locale="en">
      <BrowserRouter basename={`${new URL(document.baseURI).pathname}docs`}>
        <Docs />
      </BrowserRouter>
    </I18nProvider>
  </QueryClientProvider>,
);
