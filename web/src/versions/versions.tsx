import { GitCommitVertical, RotateCcw, Send } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { may, type PartProps, type Shown, valueAt } from '../document/document.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import {
  createVersion,
  publications,
  publishDocument,
  restoreVersion,
  sections,
  versions,
} from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { documentAddress } from '../listing/address.ts';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { More } from '../parts/more.tsx';
import { attempt } from '../parts/notices.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { Comparison } from './comparison.tsx';
import { Differences } from './differences.tsx';

/**
 * Returns the version label that each increment would produce, computed from the current numbers in the same way as on
 * the server.
 */
function nextLabels({ properties }: Pick<Shown, 'properties'>): Readonly<Record<'minor' | 'major', string>> {
  const numberAt = (xpath: string) => Number(valueAt({ properties }, xpath) ?? 0);
  const major = numberAt('uid:major_version');
  return { minor: `${major}.${numberAt('uid:minor_version') + 1}`, major: `${major + 1}.0` };
}

function NewVersion({ document, onClose }: PartProps & { readonly onClose: () => void }) {
  const { uid } = document;
  const next = nextLabels(document);
  const [version, setVersion] = useState('minor');
  const [comment, setComment] = useState('');
  const create = async () => {
    await send(createVersion, { id: uid, version, comment: comment || null });
    await refresh();
  };
  return (
    <FormDialog title={text('versions.new')} submit={text('create')} onSubmit={create} onClose={onClose}>
      <Select
        label={text('versions.increment')}
        value={version}
        onChange={setVersion}
        options={[
          { id: 'minor', label: text('versions.minor', { label: next.minor }) },
          { id: 'major', label: text('versions.major', { label: next.major }) },
        ]}
      />
      <TextField label={text('versions.comment')} value={comment} onChange={setComment} />
    </FormDialog>
  );
}

function Publish({ uid, onClose }: { readonly uid: string; readonly onClose: () => void }) {
  const { data } = useAnswer(sections, {});
  const [section, setSection] = useState('');
  const options = (data?.pageProvider.documents?.entries ?? []).map(({ uid: id, path }) => ({
    id,
    label: path,
  }));
  const publish = async () => {
    await send(publishDocument, { id: uid, section });
    await refresh();
  };
  return (
    <FormDialog
      title={text('publish')}
      submit={text('publish')}
      onSubmit={publish}
      onClose={onClose}
      isDisabled={section === ''}
    >
      <Select
        label={text('publish.section')}
        value={section || null}
        onChange={setSection}
        options={options}
        hint={options.length === 0 ? text('publish.noSections') : undefined}
      />
    </FormDialog>
  );
}

function Publications({ document }: PartProps) {
  const { uid } = document;
  const { data, error } = useAnswer(publications, { id: uid });
  const [isPublishing, setPublishing] = useState(false);
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('publications')}</h2>
        <Button icon={Send} onPress={() => setPublishing(true)}>
          {text('publish')}
        </Button>
      </div>
      {error && <Failure error={error} />}
      {data?.document.proxies.entries.length === 0 && <p className="hint">{text('publications.none')}</p>}
      <ul className="rows">
        {data?.document.proxies.entries.map(({ uid: id, path, versionLabel }) => (
          <li key={id}>
            <Link href={documentAddress(id)}>{path}</Link>
            <span className="badge">{versionLabel}</span>
          </li>
        ))}
      </ul>
      {isPublishing && <Publish uid={uid} onClose={() => setPublishing(false)} />}
    </section>
  );
}

/** Returns the user who made the last change before the version was created. */
const authorOf = (version: Pick<Shown, 'properties'>): string =>
  String(valueAt(version, 'dc:lastContributor') ?? '');

/** Lists the versions of a document with their changes, and the places where the document is published. */
export function Versions({ document }: PartProps) {
  const { uid } = document;
  const pages = usePages(versions, { id: uid }, (data) => data.document.versions);
  const [isCreating, setCreating] = useState(false);
  const mayWrite = may(document, 'WriteVersion');
  const mayCreate = mayWrite && document.facets.includes('Versionable');
  const restore = (id: string, label: string) =>
    void attempt(
      async () => {
        await send(restoreVersion, { id });
        await refresh();
      },
      text('done.version', { label }),
    );
  const { entries } = pages;
  return (
    <div className="stack">
      <section className="card">
        <div className="card-head">
          <h2>{text('tab.versions')}</h2>
          {mayCreate && (
            <Button
              icon={GitCommitVertical}
              onPress={() => setCreating(true)}
              isDisabled={!document.isCheckedOut}
            >
              {text('versions.new')}
            </Button>
          )}
        </div>
        {mayCreate && !document.isCheckedOut && (
          <p className="hint">{text('versions.unchanged', { label: document.versionLabel ?? '' })}</p>
        )}
        {pages.error && <Failure error={pages.error} />}
        {pages.isLoading && <Loading />}
        {!pages.isLoading && entries.length === 0 && <p className="hint">{text('versions.none')}</p>}
        <ol className="timeline">
          {entries.map((version, index) => (
            <li key={version.uid}>
              <div className="timeline-head">
                <Link href={documentAddress(version.uid)}>
                  {text('document.version', { label: version.versionLabel ?? '' })}
                </Link>
                <span>
                  <Person id={authorOf(version)} />
                </span>
                <Time at={version.versionCreated} />
                {mayWrite && (
                  <Button
                    kind="quiet"
                    icon={RotateCcw}
                    onPress={() => restore(version.uid, version.versionLabel ?? '')}
                    aria-label={`${text('restore')}: ${version.versionLabel}`}
                  >
                    {text('restore')}
                  </Button>
                )}
              </div>
              {version.versionComment && <p>{version.versionComment}</p>}
              {entries[index + 1] && (
                <Differences before={entries[index + 1]?.properties} after={version.properties} />
              )}
            </li>
          ))}
        </ol>
        <More pages={pages} />
      </section>
      {entries.length > 0 && <Comparison document={document} versions={entries} />}
      {document.facets.includes('Publishable') && <Publications document={document} />}
      {isCreating && <NewVersion document={document} onClose={() => setCreating(false)} />}
    </div>
  );
}
