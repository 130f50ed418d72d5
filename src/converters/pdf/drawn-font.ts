import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

const inflated = promisify(inflate);

/** The font that the server uses in PDFs: DejaVu Sans Mono, which is monospaced. */
const fontFile = '@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff';

/** The TrueType tables that a PDF needs. They contain the outlines and metrics of glyphs. */
const embedded: ReadonlySet<string> = new Set([
  'cvt ',
  'fpgm',
  'prep',
  'glyf',
  'head',
  'hhea',
  'hmtx',
  'loca',
  'maxp',
]);

/** A font to embed in PDFs. Lengths are in thousandths of the font size. */
export interface DrawnFont {
  /** A TrueType file that contains only the tables that a PDF needs. */
  readonly file: Buffer;
  readonly width: number;
  readonly ascent: number;
  readonly descent: number;
  readonly box: readonly number[];
  /** Returns the glyph of a character; undefined if the font lacks it. */
  readonly glyphOf: (codePoint: number) => number | undefined;
}

/** Returns the decompressed tables of a WOFF file, by name. */
async function tablesOf(woff: Buffer): Promise<Map<string, Buffer>> {
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < woff.readUInt16BE(12); index += 1) {
    const at = 44 + 20 * index;
    const [offset, length] = [woff.readUInt32BE(at + 4), woff.readUInt32BE(at + 8)];
    const bytes = woff.subarray(offset, offset + length);
    const isPacked = length < woff.readUInt32BE(at + 12);
    tables.set(woff.toString('latin1', at, at + 4), isPacked ? await inflated(bytes) : bytes);
  }
  return tables;
}

/** Builds a TrueType file from the given tables. The checksums are zero, because PDF viewers ignore them. */
function trueTypeOf(tables: ReadonlyMap<string, Buffer>): Buffer {
  const used = [...tables]
    .filter(([name]) => embedded.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const header = Buffer.alloc(12 + 16 * used.length);
  const power = Math.floor(Math.log2(used.length));
  header.writeUInt32BE(0x1_0000, 0);
  header.writeUInt16BE(used.length, 4);
  header.writeUInt16BE(16 * 2 ** power, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE(16 * (used.length - 2 ** power), 10);
  const parts: Buffer[] = [header];
  let offset = header.length;
  for (const [index, [name, bytes]] of used.entries()) {
    const at = 12 + 16 * index;
    header.write(name, at, 'latin1');
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(bytes.length, at + 12);
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    parts.push(bytes, padding);
    offset += bytes.length + padding.length;
  }
  return Buffer.concat(parts);
}

/** Maps characters to glyphs by the format 12 subtable of `cmap`, which covers all of Unicode. */
function glyphsOf(cmap: Buffer): Map<number, number> {
  const glyphs = new Map<number, number>();
  const offsets = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.readUInt32BE(8 + 8 * index),
  );
  const at = offsets.find((offset) => cmap.readUInt16BE(offset) === 12);
  if (at === undefined) throw new Error(`${fontFile} has no cmap subtable of format 12`);
  for (let group = 0; group < cmap.readUInt32BE(at + 12); group += 1) {
    const from = at + 16 + 12 * group;
    const [first, last, glyph] = [
      cmap.readUInt32BE(from),
      cmap.readUInt32BE(from + 4),
      cmap.readUInt32BE(from + 8),
    ];
    for (let code = first; code <= last; code += 1) glyphs.set(code, glyph + code - first);
  }
  return glyphs;
}

/** Reads the server's font. */
export async function readDrawnFont(): Promise<DrawnFont> {
  const tables = await tablesOf(await readFile(fileURLToPath(import.meta.resolve(fontFile))));
  const table = (name: string): Buffer => tables.get(name) ?? Buffer.alloc(0);
  const head = table('head');
  const scaled = (units: number): number => Math.round((1000 * units) / head.readUInt16BE(18));
  const glyphs = glyphsOf(table('cmap'));
  const space = glyphs.get(32) ?? 0;
  return {
    file: trueTypeOf(tables),
    width: scaled(table('hmtx').readUInt16BE(4 * space)),
    ascent: scaled(table('hhea').readInt16BE(4)),
    descent: scaled(table('hhea').readInt16BE(6)),
    box: [36, 38, 40, 42].map((at) => scaled(head.readInt16BE(at))),
    glyphOf: (codePoint) => glyphs.get(codePoint),
  };
}
