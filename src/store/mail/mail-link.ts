import type { Scope } from '../../scope.ts';

/**
 * The URL of a document in an email: its page in the console. The console only shows the first repository, so for
 * documents in other repositories, it is the URL in the REST interface.
 */
export const mailLink = (
  { services, options: { links } }: Scope,
  document: { readonly repository: string; readonly id: string },
): string =>
  document.repository === services.config.REPOSITORIES[0]
    ? links.documentPage(document.id)
    : links.document(document);
