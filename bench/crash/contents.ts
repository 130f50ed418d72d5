import { randomBytes } from 'node:crypto';
import type { Random } from './random.ts';
import type { Content } from './state.ts';
import type { Upload } from './uploads.ts';

/**
 * Contents that several documents share. Deleting one of these documents must not delete the blob, which the others
 * still use.
 */
const shared = Array.from({ length: 8 }, (_, index) => `shared by several ${index}`);

/**
 * Creates a random text. It is usually small, but sometimes so large that it is still being sent when the server is
 * killed.
 */
function newText(random: Random): string {
  if (random.chance(4)) return random.one(shared) ?? '';
  const size = random.number(random.chance(30) ? 600_000 : 8_000);
  return randomBytes(size).toString('base64');
}

export const newContents = (random: Random): Content[] =>
  Array.from({ length: random.number(3) }, (_, index) => ({
    name: `blob ${index}.${random.chance(4) ? 'html' : 'txt'}`,
    text: newText(random),
  }));

export function properties(
  title: string,
  contents: readonly Content[],
  upload?: Upload,
): Record<string, unknown> {
  const [first, ...others] = contents.map(({ name, text }) => ({
    name,
    content: text,
    'mime-type': name.endsWith('.html') ? 'text/html' : 'text/plain',
  }));
  return {
    'dc:title': title,
    'file:content': upload?.reference() ?? first ?? null,
    'files:files': others.map((file) => ({ file })),
  };
}
