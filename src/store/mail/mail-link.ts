import type { Scope } from '../../scope.ts';

/**
 * The address of a document in a mail: its page in the console. The console only shows the first repository,
 * so documents of others have their address in the REST interface.
 */
export const mailLink = (
  { services, options: { links } }: Scope,
  document: { readonly repository: string; readonly id: string },
): string =>
  document.repository === services.config.REPOSITORIES[0]
    ? links.documentPage(document.id)
    : links.document(document);
