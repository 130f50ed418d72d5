import { describe } from './describe.ts';
import type { Described } from './describing.ts';

/** What points to a shared part, over several lines. */
const pointer = /\{\s+("\$ref": "[^"]+")\s+\}/g;

/** The interface of a server as it is first started, as text: what `openapi.json` holds. */
export function printedDescription(described: Described): string {
  const servers = [{ url: 'http://localhost:8080/api/v1' }];
  const description = { ...describe(described, { isAdministrator: true }), servers };
  return `${JSON.stringify(description, null, 2).replace(pointer, '{ $1 }')}\n`;
}
