import { publish } from '../../../store/versions/publish.ts';
import { newLetter } from '../../call-example.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { flag, references } from '../../params/kinds.ts';

export const documentPublishToSections = operation({
  id: 'Document.PublishToSections',
  aliases: ['Document.MultiPublish'],
  label: 'Multi-Publish',
  description: 'Publishes the input document in sections, and returns its proxies there.',
  example: { before: [newLetter], input: '{letter}', params: { target: ['/default-domain/sections/news'] } },
  kind: 'mutation',
  takes: ['document'],
  needs: 'Read',
  gives: 'documents',
  params: {
    target: references.required('The sections.'),
    override: flag.withDefault(
      true,
      'Whether existing proxies are updated; otherwise additional ones are created.',
    ),
  },
  run: async (context, document, { target, override }) => ({
    entries: await publish(context, document, target.map(referenceTo), override),
  }),
});
