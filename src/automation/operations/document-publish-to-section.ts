import { publish } from '../../store/publish.ts';
import { referenceTo } from '../document-at.ts';
import { flag, reference } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally, required } from '../params.ts';

/** The input is shown in a section (§11). */
export const documentPublishToSection = operation({
  id: 'Document.PublishToSection',
  aliases: ['Document.Publish'],
  label: 'Publish Document',
  category: 'Document',
  description: 'Publishes the input document in a section, and answers the proxy that shows it there.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    target: required(reference, 'The section.'),
    override: optionally(
      flag,
      true,
      'Whether a proxy that is there is made to show it, instead of one more.',
    ),
  },
  holds: ({ target }) => ({ besides: [referenceTo(target)] }),
  run: async (context, document, { target, override }) => {
    const [proxy = null] = await publish(context, document, [referenceTo(target)], override);
    return proxy;
  },
});
