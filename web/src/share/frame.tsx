import type { ReactNode } from 'react';
import { Brand } from '../app/brand.tsx';

/** Shows the header of the guest page, and the area for the page's content. */
export const Frame = ({ children }: { readonly children: ReactNode }) => (
  <>
    <header className="top">
      <a className="brand" href="share/#">
        <Brand />
      </a>
    </header>
    <main className="share">{children}</main>
  </>
);
