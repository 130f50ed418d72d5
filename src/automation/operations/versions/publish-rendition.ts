import { makeRendition } from '../../../loaders/renditions/index.ts';
import { blobAt } from '../../../model/values/document-blob.ts';
import { publish } from '../../../store/versions/publish.ts';
import { publishMadeRendition } from '../../../store/versions/publish-rendition.ts';
import { storedBlob } from '../../blobs/stored-blob.ts';
import { newLetter } from '../../call-example.ts';
import { documentAt, referenceTo } from '../../documents/document-at.ts';
import { documentMutation } from '../../operation.ts';
import { flag, reference, text } from '../../params/kinds.ts';

export const publishRendition = documentMutation({
  id: 'PublishRendition',
  aliases: ['Document.PublishRendition'],
  label: "Publish Document's Rendition",
  description: 'Publishes a rendition of the input document in a section, and returns its proxy there.',
  needsPrograms: true,
  example: {
    before: [newLetter],
    input: '{letter}',
    params: { target: '/default-domain/sections/news', renditionName: 'xmlExport' },
  },
  params: {
    target: reference.required('The section.'),
    renditionName: text.withDefault('', 'The name of the rendition; the document itself when it is empty.'),
    defaultRendition: flag.withDefault(
      false,
      'Whether the main file, or else the document as XML, is published when no rendition is named.',
    ),
    override: flag.withDefault(true, 'Whether an existing proxy is updated instead of adding another one.'),
  },
  locks: ({ target }) => ({ additional: [referenceTo(target)] }),
  run: async (context, document, { target, renditionName, defaultRendition, override }) => {
    const section = referenceTo(target);
    if (renditionName === '' && !defaultRendition) {
      const [proxy = null] = await publish(context, document, [section], override);
      return proxy;
    }
    // Before any row is locked: it may take a while.
    const source = await documentAt(context, document);
    const usual = blobAt(context.model, source, '') ? 'mainBlob' : 'xmlExport';
    const name = renditionName || usual;
    const blob = await storedBlob(context, await makeRendition(context, source, name));
    return publishMadeRendition(context, section, { name, source, blob }, override);
  },
});
