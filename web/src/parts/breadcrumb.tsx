import { Link } from 'react-aria-components';
import { text } from '../texts/text.ts';

interface Step {
  readonly id: string;
  readonly label: string;
  readonly href: string;
}

/** What lies above, the highest first. */
export const Path = ({ steps }: { readonly steps: readonly Step[] }) => (
  <nav aria-label={text('path')}>
    <ol className="path">
      {steps.map(({ id, label, href }) => (
        <li key={id}>
          <Link href={href}>{label}</Link>
        </li>
      ))}
    </ol>
  </nav>
);
