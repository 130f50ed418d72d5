import { permissionText } from '../permissions/names.ts';
import { text } from '../texts/text.ts';

/** Messages of rights and locks (§2.5), and the text of the console for what they name. */
const known: ReadonlyArray<readonly [message: RegExp, textOf: (named: string) => string]> = [
  [/^Privilege '(\w+)' is not granted to '/, (right) => text('notGranted', { right: permissionText(right) })],
  [/^the document is locked by '(.*)'$/, (user) => text('document.lockedBy', { user })],
];

/** What a message of the server says, in the language of the page where there are words for it. */
export function refusalText(message: string): string {
  for (const [pattern, textOf] of known) {
    const [, named] = pattern.exec(message) ?? [];
    if (named !== undefined) return textOf(named);
  }
  return message;
}
