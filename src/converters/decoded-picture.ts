import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { readBeginning, readWhole } from './whole-file.ts';

/** The pixels of a picture in a format that sharp cannot decode. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 3 for RGB or 4 for RGBA, with eight bits per channel. The pixels are stored row by row. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

/**
 * Creates the error for a picture with too many pixels. It is thrown before decoding, because even a small file can
 * contain any number of pixels.
 */
const tooLarge = (maxPixels: number): Error =>
  new Error(`Input image exceeds pixel limit of ${maxPixels} pixels`);

interface HeifError {
  readonly code: unknown;
  readonly message: string;
}

/** The libheif functions that are used. Handles are pointers into the WebAssembly module's memory. */
interface Libheif {
  readonly heif_error_code: Readonly<Record<'heif_error_Ok', unknown>>;
  readonly heif_colorspace: Readonly<Record<'heif_colorspace_RGB', unknown>>;
  readonly heif_chroma: Readonly<
    Record<'heif_chroma_interleaved_RGB' | 'heif_chroma_interleaved_RGBA', unknown>
  >;
  heif_context_alloc(): object;
  heif_context_read_from_memory(context: object, bytes: Uint8Array): HeifError;
  heif_js_context_get_primary_image_handle(context: object): object | HeifError;
  heif_image_handle_get_width(handle: object): number;
  heif_image_handle_get_height(handle: object): number;
  heif_image_handle_has_alpha_channel(handle: object): number;
  heif_js_decode_image2(
    handle: object,
    colorspace: unknown,
    chroma: unknown,
  ):
    | {
        readonly channels: ReadonlyArray<{
          readonly width: number;
          readonly height: number;
          readonly stride: number;
          readonly data: Uint8Array;
        }>;
      }
    | HeifError;
}

const require = createRequire(import.meta.url);

/**
 * Loads libheif from a separate file, so that users can replace the library with another build, as the LGPL requires.
 */
async function loadLibheif(): Promise<Libheif> {
  const wasmBinary = await readFile(require.resolve('libheif-js/libheif-wasm/libheif.wasm'));
  const load = require('libheif-js/libheif-wasm/libheif.js') as (options: object) => Libheif;
  return load({ wasmBinary, print: () => {}, printErr: () => {} });
}

/** Removes the padding at the end of each row. */
function packed(data: Uint8Array, stride: number, row: number, height: number): Uint8Array {
  if (stride === row) return data;
  const rows = new Uint8Array(row * height);
  for (let y = 0; y < height; y += 1) rows.set(data.subarray(y * stride, y * stride + row), y * row);
  return rows;
}

/**
 * Decodes the primary image of an HEIC file and rotates it upright. The memory is released when the module is
 * garbage-collected.
 */
async function decodeHeic(bytes: Buffer, maxPixels: number): Promise<Pixels> {
  const heif = await loadLibheif();
  const checked = <T extends object>(result: T | HeifError | undefined): T => {
    if (result && !('code' in result)) return result;
    throw new Error(`libheif: ${result?.message ?? 'the file cannot be decoded'}`);
  };
  const context = heif.heif_context_alloc();
  const { code, message } = heif.heif_context_read_from_memory(context, bytes);
  if (code !== heif.heif_error_code.heif_error_Ok) throw new Error(`libheif: ${message}`);
  const handle = checked(heif.heif_js_context_get_primary_image_handle(context));
  const [width, height] = [
    heif.heif_image_handle_get_width(handle),
    heif.heif_image_handle_get_height(handle),
  ];
  if (!(width * height <= maxPixels)) throw tooLarge(maxPixels);
  const channels = heif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
  const chroma = `heif_chroma_interleaved_${channels === 4 ? 'RGBA' : 'RGB'}` as const;
  const { heif_colorspace, heif_chroma } = heif;
  const decoded = heif.heif_js_decode_image2(
    handle,
    heif_colorspace.heif_colorspace_RGB,
    heif_chroma[chroma],
  );
  const [plane] = checked(decoded).channels;
  if (!plane) throw new Error('libheif: the file has no pixels');
  const data = packed(plane.data, plane.stride, plane.width * channels, plane.height);
  return { width: plane.width, height: plane.height, channels, data };
}

/** Decodes a BMP file. The fourth channel is ignored, because most files do not use it. */
async function decodeBmp(bytes: Buffer, maxPixels: number): Promise<Pixels> {
  // The old header stores width and height in two bytes each. Newer headers use four bytes, and a negative height means
  // that the rows are stored from top to bottom.
  const isOld = bytes.readUInt32LE(14) === 12;
  const [width, height] = isOld
    ? [bytes.readUInt16LE(18), bytes.readUInt16LE(20)]
    : [Math.abs(bytes.readInt32LE(18)), Math.abs(bytes.readInt32LE(22))];
  if (!(width * height <= maxPixels)) throw tooLarge(maxPixels);
  const { decode } = await import('bmp-ts');
  const { data: rgba } = decode(bytes, { toRGBA: true });
  const data = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) {
    data[to] = rgba[from] ?? 0;
    data[to + 1] = rgba[from + 1] ?? 0;
    data[to + 2] = rgba[from + 2] ?? 0;
  }
  return { width, height, channels: 3, data };
}

/**
 * Encodes pixels as an uncompressed TIFF, because sharp accepts a color profile only as part of a file, not together
 * with raw pixels.
 */
export function asTiff({ width, height, channels, data }: Pixels, profile: Buffer | undefined): Buffer {
  const [short, long, undefinedBytes] = [3, 4, 7];
  const bits = 8;
  type Tag = readonly [tag: number, type: number, count: number, value: number];
  const tagsAt = 8;
  const bitsAt = tagsAt + 2 + 12 * 12 + 4;
  const profileAt = bitsAt + 2 * channels;
  const pixelsAt = profileAt + (profile?.length ?? 0);
  const tags: readonly Tag[] = [
    [256, long, 1, width],
    [257, long, 1, height],
    [258, short, channels, bitsAt],
    [259, short, 1, 1], // Compression: none
    [262, short, 1, 2], // PhotometricInterpretation: RGB
    [273, long, 1, pixelsAt],
    [277, short, 1, channels],
    [278, long, 1, height],
    [279, long, 1, data.length],
    ...(channels === 4 ? ([[338, short, 1, 2]] as const) : []), // ExtraSamples: the fourth channel is alpha
    ...(profile ? ([[34_675, undefinedBytes, profile.length, profileAt]] as const) : []),
  ];
  const tiff = Buffer.alloc(pixelsAt + data.length);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(tagsAt, 4);
  tiff.writeUInt16LE(tags.length, tagsAt);
  for (const [index, [tag, type, count, value]] of tags.entries()) {
    const at = tagsAt + 2 + 12 * index;
    tiff.writeUInt16LE(tag, at);
    tiff.writeUInt16LE(type, at + 2);
    tiff.writeUInt32LE(count, at + 4);
    tiff.writeUInt32LE(value, at + 8);
  }
  for (let channel = 0; channel < channels; channel += 1) tiff.writeUInt16LE(bits, bitsAt + 2 * channel);
  profile?.copy(tiff, profileAt);
  tiff.set(data, pixelsAt);
  return tiff;
}

/** The number of bytes that identify a format. */
const startLength = 40;

/** The brands of HEIC files. AVIF files, which sharp can decode, have different brands. */
const heicBrand = /^(hei[cxms]|hev[cmxs]|mif1|msf1)$/;

type Decode = (bytes: Buffer, maxPixels: number) => Promise<Pixels>;

/**
 * Returns the decoder for a file in a format that sharp does not support, based on the file's first bytes. Returns
 * undefined for other formats.
 */
function decoderOf(start: Buffer): Decode | undefined {
  const brands: readonly string[] = start.toString('latin1', 8).match(/[\s\S]{4}/g) ?? [];
  const isHeic = start.toString('latin1', 4, 8) === 'ftyp' && !brands.includes('avif');
  if (isHeic && heicBrand.test(brands[0] ?? '')) return decodeHeic;
  return start.toString('latin1', 0, 2) === 'BM' ? decodeBmp : undefined;
}

/**
 * Decodes a picture in a format that sharp does not support. @returns undefined if sharp can decode the format itself
 */
export async function decodedPixels(source: string | Buffer, maxPixels: number): Promise<Pixels | undefined> {
  const decode = decoderOf(
    typeof source === 'string' ? await readBeginning(source, startLength) : source.subarray(0, startLength),
  );
  return decode?.(typeof source === 'string' ? await readWhole(source) : source, maxPixels);
}
