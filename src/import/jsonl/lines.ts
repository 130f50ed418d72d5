import { Invalid } from '../../errors.ts';

/** A line that is not blank. Line numbers start at 1 and include blank lines. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** The maximum size of a batch. The lines of two batches are held in memory at the same time. */
const batch = { lines: 2_000, bytes: 4_000_000 };

const maxLineBytes = 64_000_000;

/** Creates the error for a line. The message begins with the line number. */
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
 * Reads lines in batches, so that memory usage does not depend on the size of the file.
 * @throws Invalid if a line is too long or not valid UTF-8; the message names the line.
 */
export async function* lineBatches(input: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines: Line[] = [];
  let [number, bytes] = [0, 0];
  for await (const found of rawLines(input)) {
    for (const line of found) {
      number += 1;
      if (line.length > maxLineBytes)
        throw atLine({ number }, `the line is longer than ${maxLineBytes} bytes`);
      let text: string;
      try {
        text = decoder.decode(line);
      } catch {
        throw atLine({ number }, 'the line is not valid UTF-8');
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
