import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../graphql/client.ts';
import { type StorageQuery, storage, titles } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Bar } from '../parts/bar.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { countText, sizeText } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { AdminTable } from './table.tsx';

type Part = StorageQuery['storage'][number];

interface PartsProps {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly all: number;
  readonly nameOf: (part: Part) => ReactNode;
}

/** A table of parts of the stored files, with the share of each. */
const Parts = ({ title, parts, all, nameOf }: PartsProps) => (
  <section className="card">
    <h2>{title}</h2>
    <AdminTable
      label={title}
      entries={parts}
      keyOf={({ key }) => key ?? ''}
      empty={text('storage.none')}
      columns={[
        { label: text('column.title'), value: nameOf },
        { label: text('upload.files'), value: ({ files }) => countText(files) },
        { label: text('column.size'), value: ({ bytes }) => sizeText(bytes) },
        {
          label: text('storage.share'),
          value: ({ bytes, key }) => (
            <Bar label={`${text('storage.share')}: ${key}`} value={bytes} all={all} />
          ),
        },
      ]}
    />
  </section>
);

/** Shows how much room the files of documents take, by type and by workspace, and which files are there twice. */
export function Storage() {
  const { data, error } = useAnswer(storage, {}, { staleTime: 60_000 });
  const ids = data?.storage.flatMap(({ documents }) => documents) ?? [];
  const found = useAnswer(titles, { ids }, { enabled: ids.length > 0 });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const named = new Map(
    (found.data?.documents ?? []).flatMap((each) => (each ? [[each.uid, each.title] as const] : [])),
  );
  const of = (kind: string) =>
    data.storage.filter((part) => part.kind === kind).toSorted((one, other) => other.bytes - one.bytes);
  const [all] = of('all');
  const bytes = all?.bytes ?? 0;
  return (
    <div className="stack">
      <p className="hint" role="status">
        {text('storage.all', { count: countText(all?.files ?? 0), size: sizeText(bytes) })}
      </p>
      <Parts
        title={text('storage.workspaces')}
        parts={of('workspace')}
        all={bytes}
        nameOf={({ key, title }) => <Link to={documentAddress(key ?? '')}>{title}</Link>}
      />
      <Parts
        title={text('storage.types')}
        parts={of('type')}
        all={bytes}
        nameOf={({ key }) => textOr(`type.${key}`, key ?? '')}
      />
      <section className="card">
        <h2>{text('storage.duplicates')}</h2>
        <AdminTable
          label={text('storage.duplicates')}
          entries={of('duplicate')}
          keyOf={({ key }) => key ?? ''}
          empty={text('storage.noDuplicates')}
          columns={[
            { label: text('storage.file'), value: ({ title }) => title },
            { label: text('column.size'), value: ({ bytes: size }) => sizeText(size) },
            {
              label: text('nav.browse'),
              value: ({ documents, files }) => (
                <>
                  {documents.map((id, index) => (
                    <Fragment key={id}>
                      {index > 0 && ', '}
                      <Link to={documentAddress(id)}>{named.get(id) ?? id}</Link>
                    </Fragment>
                  ))}
                  {files > documents.length &&
                    ` ${text('selection.andMore', { count: files - documents.length })}`}
                </>
              ),
            },
          ]}
        />
        <p className="hint">{text('storage.hint')}</p>
      </section>
    </div>
  );
}
