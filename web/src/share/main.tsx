import '../styles/base.css';
import '../styles/parts.css';
import '../styles/top.css';
import '../styles/shell.css';
import '../styles/share.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { applyLook } from '../app/look.ts';
import { language } from '../texts/language.ts';
import { Share } from './share.tsx';

const place = document.getElementById('app');
if (!place) throw new Error('The page has no element with the id "app".');

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } },
});

document.documentElement.lang = language();
applyLook();
createRoot(place).render(
  <I18nProvider locale={language()}>
    <QueryClientProvider client={queries}>
      <Share />
    </QueryClientProvider>
  </I18nProvider>,
);
