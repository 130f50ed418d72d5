import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { text } from '../texts/text.ts';

export const Loading = () => (
  <p className="loading" role="status">
    <span className="spinner" aria-hidden />
    {text('loading')}
  </p>
);

export const Failure = ({ error }: { readonly error: Error }) => (
  <p className="fault" role="alert">
    {error.message}
  </p>
);

/** The error that replaces a whole screen. */
export const ScreenFailure = ({ error }: { readonly error: Error }) => (
  <>
    <h1 className="visually-hidden">{text('failed')}</h1>
    <Failure error={error} />
  </>
);

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}

export const Empty = ({ icon: Icon, children }: EmptyProps) => (
  <div className="empty">
    <Icon size={32} aria-hidden />
    <p>{children}</p>
  </div>
);
