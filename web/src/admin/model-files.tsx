import { FileDown } from 'lucide-react';
import { send, useAnswer } from '../graphql/client.ts';
import { modelFiles, modelFileText } from '../graphql/operations.ts';
import { IconButton } from '../parts/button.tsx';
import { attempt } from '../parts/notices.tsx';
import { saveText } from '../parts/save-text.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { sizeText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { AdminTable } from './table.tsx';

async function download(name: string): Promise<void> {
  const { modelFiles: files } = await send(modelFileText, { name });
  const type = name.endsWith('.csv') ? 'text/csv' : 'application/json';
  for (const file of files) saveText(file.name, type, file.text);
}

/** Lists the files in MODEL_DIR, each with a button that saves it. */
export function ModelFiles() {
  const { data, error } = useAnswer(modelFiles, {});
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <AdminTable
      label={text('model.files')}
      entries={data.modelFiles}
      keyOf={({ name }) => name}
      empty={text('model.noFiles')}
      columns={[
        { label: text('column.title'), value: ({ name }) => name },
        { label: text('column.size'), value: ({ size }) => sizeText(size) },
      ]}
      actions={({ name }) => (
        <IconButton
          label={text('model.downloadFile', { name })}
          icon={FileDown}
          onPress={() => void attempt(() => download(name))}
        />
      )}
    />
  );
}
