import { Link } from 'react-router';
import { text } from '../texts/text.ts';
import { browseAddress } from './address.ts';
import { useDraggedDocument } from './moving.ts';

interface Step {
  readonly uid: string;
  readonly path: string;
  readonly title: string;
}

const PathStep = ({ step }: { readonly step: Step }) => (
  <li {...useDraggedDocument(step, true)}>
    <Link to={browseAddress(step.path)} draggable={false}>
      {step.title || text('browse.root')}
    </Link>
  </li>
);

/**
 * Breadcrumbs, which link to the ancestors of a document, starting with the topmost ancestor. Documents and files can be
 * dropped on them.
 */
export const Path = ({ steps }: { readonly steps: readonly Step[] }) => (
  <nav aria-label={text('path')}>
    <ol className="path">
      {steps.map((step) => (
        <PathStep key={step.uid} step={step} />
      ))}
    </ol>
  </nav>
);
