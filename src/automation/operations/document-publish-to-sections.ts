import { publish } from '../../store/publish.ts';
import { referenceTo } from '../document-at.ts';
import { flag, references } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally, required } from '../params.ts';

/** The input is shown in several sections (§11). */
export const documentPublishToSections = operation({
  id: 'Document.PublishToSections',
  aliases: ['Document.MultiPublish'],
  label: 'Multi-Publish',
  category: 'Document',
  description: 'Publishes the input document in sections, and answers the proxies that show it there.',
  kind: 'mutation',
  takes: ['document'],
  gives: 'documents',
  params: {
    target: required(references, 'The sections.'),
    override: optionally(
      flag,
      true,
      'Whether proxies that are there are made to show it, instead of more of them.',
    ),
  },
  run: async (context, document, { target, override }) => ({
    entries: await publish(context, document, target.map(referenceTo), override),
  }),
});
