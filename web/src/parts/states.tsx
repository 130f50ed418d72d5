import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { text } from '../texts/text.ts';
import { useOnline } from './online.ts';

export const Loading = () => {
  const isOnline = useOnline();
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden />
      {text(isOnline ? 'loading' : 'offline.loading')}
    </p>
  );
};

export const Failure = ({ error }: { readonly error: Error }) => (
  <p className="fault" role="alert">
    {error.message}
  </p>
);

/** Links to other screens, which are shown at a URL that does not exist. */
export const WaysOn = () => (
  <span className="ways-on">
    <Link href="/browse">{text('notFound.documents')}</Link>
    <Link href="/search">{text('nav.search')}</Link>
  </span>
);

/** Shows an error in place of a whole screen. */
export const ScreenFailure = ({ error }: { readonly error: Error }) => (
  <>
    <h1 className="visually-hidden">{text('failed')}</h1>
    <Failure error={error} />
    <WaysOn />
  </>
);

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
  /** A hint about how to add content here. */
  readonly hint?: string;
  /** A button that does it. */
  readonly action?: ReactNode;
}

export const Empty = ({ icon: Icon, children, hint, action }: EmptyProps) => (
  <div className="empty">
    <span className="empty-icon">
      <Icon size={28} aria-hidden />
    </span>
    <p className="empty-title">{children}</p>
    {hint && <p className="hint">{hint}</p>}
    {action}
  </div>
);
