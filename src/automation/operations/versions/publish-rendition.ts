import type { Context } from '../../../loaders/context.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { makeRendition } from '../../../loaders/renditions/index.ts';
import { blobAt } from '../../../model/values/document-blob.ts';
import { requireSomePermission } from '../../../store/row-locks/before-locks.ts';
import { lockWithAncestors } from '../../../store/row-locks/lock-with-ancestors.ts';
import { publish } from '../../../store/versions/publish.ts';
import { type MadeRendition, publishMadeRendition } from '../../../store/versions/publish-rendition.ts';
import { storedBlob } from '../../blobs/stored-blob.ts';
import { newLetter } from '../../call-example.ts';
import { documentAt, referenceTo } from '../../documents/document-at.ts';
import { documentsMutation } from '../../operation.ts';
import { flag, reference, text } from '../../params/kinds.ts';

async function made(context: Context, source: DocumentRow, given: string): Promise<MadeRendition> {
  const usual = blobAt(context.services.model, source, '') ? 'mainBlob' : 'xmlExport';
  const name = given || usual;
  return { name, source, blob: await storedBlob(context, await makeRendition(context, source, name)) };
}

export const publishRendition = documentsMutation({
  id: 'PublishRendition',
  aliases: ['Document.PublishRendition'],
  label: "Publish Document's Rendition",
  description: 'Publishes a rendition of each input document in a section, and returns the proxies there.',
  needs: 'Read',
  needsPrograms: true,
  example: {
    before: [newLetter],
    input: '{letter}',
    params: { target: '/default-domain/sections/news', renditionName: 'xmlExport' },
  },
  params: {
    target: reference.required('The section.'),
    renditionName: text.withDefault(
      '',
      'The name of the rendition; if empty, the document itself is published.',
    ),
    defaultRendition: flag.withDefault(
      false,
      'Whether to publish the main file or, without one, the document as XML if no rendition is given.',
    ),
    override: flag.withDefault(true, 'Whether an existing proxy is updated; otherwise another one is added.'),
  },
  run: async (context, documents, { target, renditionName, defaultRendition, override }) => {
    const section = referenceTo(target);
    const found = await Promise.all(documents.map((each) => documentAt(context, each)));
    const sources = [...new Map(found.map((row) => [row.id, row])).values()];
    const hasRendition = renditionName !== '' || defaultRendition;
    const renditions: MadeRendition[] = [];
    // Renditions are created before any rows are locked, because converting a file can take some time.
    if (hasRendition) for (const each of sources) renditions.push(await made(context, each, renditionName));
    if (sources.length > 1) {
      await requireSomePermission(context, [section]);
      const references = sources.map(({ id }) => ({ id }));
      await lockWithAncestors(context, references, { additional: [section] });
    }
    const entries: DocumentRow[] = [];
    for (const each of renditions) entries.push(await publishMadeRendition(context, section, each, override));
    if (!hasRendition)
      for (const { id } of sources) entries.push(...(await publish(context, { id }, [section], override)));
    return { entries };
  },
});
