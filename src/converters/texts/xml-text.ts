import type { Readable } from 'node:stream';

interface Wanted {
  /** The elements whose text counts, with that of the elements in them. */
  readonly texts: readonly string[];
  /** The elements that end a word. */
  readonly ends: readonly string[];
}

/**
 * The text of an XML file, as it is read. Entities that the file declares are not expanded.
 * @param most characters after which the rest is not read.
 * @throws what is wrong with the file.
 */
export async function textOfXml(bytes: Readable, { texts, ends }: Wanted, most: number): Promise<string> {
  const { default: sax } = await import('sax');
  const parser = sax.parser(true);
  const decoder = new TextDecoder();
  const [counting, ending] = [new Set(texts), new Set(ends)];
  const pieces: string[] = [];
  let length = 0;
  let depth = 0; // of elements whose text counts
  let fault: Error | undefined;
  parser.onopentag = ({ name }) => {
    if (counting.has(name)) depth += 1;
  };
  parser.onclosetag = (name) => {
    if (counting.has(name)) depth -= 1;
    if (ending.has(name)) pieces.push('\n');
  };
  parser.ontext = (piece) => {
    if (depth === 0) return;
    pieces.push(piece);
    length += piece.length;
  };
  parser.onerror = (error) => {
    fault ??= error;
  };
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk as Buffer, { stream: true }));
    if (fault) throw fault;
    if (length >= most) break;
  }
  return pieces.join('');
}
