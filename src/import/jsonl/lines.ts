import { Invalid } from '../../errors.ts';

/** A line of the file that is not blank. Numbers start at 1 and include blank lines. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** The limits of a batch. The lines of two batches are in memory at the same time. */
const batch = { lines: 2_000, bytes: 4_000_000 };

const maxLineBytes = 64_000_000;

/** The error of a line. Its message begins with the number of the line. */
export const atLine = ({ number }: Pick<Line, 'number'>, reason: string): Invalid =>
  new Invalid(`line ${number}: ${reason}`);

const newline = 0x0a;

async function* rawLines(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      lines.push(Buffer.concat([...pieces, chunk.subarray(start, end)]));
      [pieces, length, start] = [[], 0, end + 1];
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    yield lines;
    if (length > maxLineBytes) break; // the caller throws an error for this line
  }
  yield [Buffer.concat(pieces)];
}

/**
 * Reads lines in batches, so that the use of memory does not depend on the size of the file.
 * @throws Invalid that names the line, if it is too long or not in UTF-8.
 */
export async function* lineBatches(input: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines: Line[] = [];
  let [number, bytes] = [0, 0];
  for await (const found of rawLines(input)) {
    for (const line of found) {
      number += 1;
      if (line.length > maxLineBytes) throw atLine({ number }, `it has more than ${maxLineBytes} bytes`);
      let text: string;
      try {
        text = decoder.decode(line);
      } catch {
        throw atLine({ number }, 'it is not in UTF-8');
      }
      if (text.trim() === '') continue;
      lines.push({ number, text });
      bytes += line.length;
      if (lines.length < batch.lines && bytes < batch.bytes) continue;
      yield lines;
      [lines, bytes] = [[], 0];
    }
  }
  if (lines.length > 0) yield lines;
}
