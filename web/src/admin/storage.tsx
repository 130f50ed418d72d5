import { RotateCw } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import { countStorage, type StorageQuery, storage, titles } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Bar } from '../parts/bar.tsx';
import { Button } from '../parts/button.tsx';
import { attempt } from '../parts/notices.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { countText, sizeText, Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { AdminTable } from './table.tsx';

type Part = StorageQuery['storage']['parts'][number];

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

/** Says when the files were counted, with a button that counts them again. */
const Counted = ({ countedAt, isCounting }: Pick<StorageQuery['storage'], 'countedAt' | 'isCounting'>) => (
  <div className="card-head">
    <p className="hint" role="status">
      {isCounting && text('storage.counting')}{' '}
      {countedAt ? (
        <>
          {text('storage.counted')} <Time at={countedAt} />
        </>
      ) : (
        !isCounting && text('storage.notCounted')
      )}
    </p>
    <Button
      icon={RotateCw}
      isDisabled={isCounting}
      onPress={() =>
        void attempt(async () => {
          await send(countStorage, {});
          await refresh();
        })
      }
    >
      {text('storage.countAgain')}
    </Button>
  </div>
);

/**
 * Shows how much room the files of documents take, by type and by workspace, and which files are there twice. A job
 * counts them once a day.
 */
export function Storage() {
  const { data, error } = useAnswer(
    storage,
    {},
    { refetchInterval: ({ state }) => (state.data?.storage.isCounting ? 2_000 : false) },
  );
  const ids = data?.storage.parts.flatMap(({ documents }) => documents) ?? [];
  const found = useAnswer(titles, { ids }, { enabled: ids.length > 0 });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const named = new Map(
    (found.data?.documents ?? []).flatMap((each) => (each ? [[each.uid, each.title] as const] : [])),
  );
  const of = (kind: string) =>
    data.storage.parts.filter((part) => part.kind === kind).toSorted((one, other) => other.bytes - one.bytes);
  const [all] = of('all');
  const bytes = all?.bytes ?? 0;
  return (
    <div className="stack">
      <Counted {...data.storage} />
      <p className="hint">
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
