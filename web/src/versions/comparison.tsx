import { useState } from 'react';
import type { Shown } from '../document/document.ts';
import type { VersionsQuery } from '../graphql/operations.ts';
import { Select } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { Differences } from './differences.tsx';

interface ComparisonProps {
  readonly document: Shown;
  /** The versions, newest first. */
  readonly versions: readonly VersionsQuery['document']['versions']['entries'][number][];
}

/** Compares any two versions of a document, or a version with the current document. */
export function Comparison({ document, versions }: ComparisonProps) {
  const [chosen, setChosen] = useState<{ from?: string; to?: string }>({});
  const states = [document, ...versions];
  const find = (uid: string | undefined) => states.find((each) => each.uid === uid);
  const to = find(chosen.to) ?? document;
  const from = find(chosen.from) ?? versions[0];
  const options = states.map((each) => ({
    id: each.uid,
    label:
      each === document
        ? text('versions.current')
        : text('document.version', { label: each.versionLabel ?? '' }),
  }));
  return (
    <section className="card" aria-label={text('versions.compare')}>
      <h2>{text('versions.compare')}</h2>
      <div className="filters pair">
        <Select
          label={text('versions.from')}
          value={from?.uid ?? null}
          onChange={(uid) => setChosen({ ...chosen, from: uid })}
          options={options}
        />
        <Select
          label={text('versions.to')}
          value={to.uid}
          onChange={(uid) => setChosen({ ...chosen, to: uid })}
          options={options}
        />
      </div>
      {from && <Differences before={from.properties} after={to.properties} />}
    </section>
  );
}
