import { publish } from '../../../store/versions/publish.ts';
import { newLetter } from '../../call-example.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { documentMutation } from '../../operation.ts';
import { flag, reference } from '../../params/kinds.ts';

export const documentPublishToSection = documentMutation({
  id: 'Document.PublishToSection',
  aliases: ['Document.Publish'],
  label: 'Publish Document',
  description: 'Publishes the input document in a section, and returns its proxy there.',
  example: { before: [newLetter], input: '{letter}', params: { target: '/default-domain/sections/news' } },
  needs: 'Read',
  params: {
    target: reference.required('The section.'),
    override: flag.withDefault(true, 'Whether an existing proxy is updated; otherwise another one is added.'),
  },
  locks: ({ target }) => ({ additional: [referenceTo(target)] }),
  run: async (context, document, { target, override }) => {
    const [proxy = null] = await publish(context, document, [referenceTo(target)], override);
    return proxy;
  },
});
