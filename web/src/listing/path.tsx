import { Link } from 'react-aria-components';
import { text } from '../texts/text.ts';
import { browseAddress } from './address.ts';

interface Step {
  readonly uid: string;
  readonly path: string;
  readonly title: string;
}

/** Breadcrumbs, which link to the ancestors of a document, starting with the topmost ancestor. */
export const Path = ({ steps }: { readonly steps: readonly Step[] }) => (
  <nav aria-label={text('path')}>
    <ol className="path">
      {steps.map(({ uid, path, title }) => (
        <li key={uid}>
          <Link href={browseAddress(path)}>{title || text('browse.root')}</Link>
        </li>
      ))}
    </ol>
  </nav>
);
