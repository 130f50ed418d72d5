import type { PDFiumPage } from '@hyzyla/pdfium';
import type { Converter } from '../converter.ts';
import { work } from '../process-usage.ts';
import { textLimit } from '../texts/text-limit.ts';
import { openPdfium } from './pdf-pages.ts';

/** A line of text on a page: its left, top, width and height in points, measured from the upper left, and the text. */
type Line = readonly [left: number, top: number, width: number, height: number, text: string];

interface Page {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly Line[];
}

/** The functions of PDFium that the library loads but does not expose. */
interface TextFunctions {
  readonly _FPDFText_LoadPage: (page: number) => number;
  readonly _FPDFText_ClosePage: (text: number) => void;
  readonly _FPDFText_CountChars: (text: number) => number;
  readonly _FPDFText_GetUnicode: (text: number, index: number) => number;
  readonly _FPDFText_GetLooseCharBox: (text: number, index: number, box: number) => number;
  readonly _FPDF_PageToDevice: (
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    x: number,
    y: number,
    deviceX: number,
    deviceY: number,
  ) => number;
  readonly wasmExports: {
    readonly malloc: (size: number) => number;
    readonly free: (address: number) => void;
  };
  readonly HEAPU8: Uint8Array;
}

/** Positions are computed as integers in tenths of a point. */
const unitsPerPoint = 10;

/** The CPU time in seconds after which pages are returned without text; a converter is killed after 3.5 seconds. */
const maxSeconds = 2.5;

/** A rectangle in tenths of a point. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const union = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
});

/** Exchanges the axes. */
const turned = ({ left, top, right, bottom }: Box): Box => ({
  left: top,
  top: left,
  right: bottom,
  bottom: right,
});

/** Whether a character continues a horizontal line: at about the same height, and not far away. */
function isBeside(line: Box, box: Box): boolean {
  const height = Math.max(line.bottom - line.top, 1);
  const middle = (box.top + box.bottom) / 2;
  return (
    middle > line.top &&
    middle < line.bottom &&
    box.left >= line.right - height &&
    box.left <= line.right + 2 * height
  );
}

/** Whether a character continues a line, which is vertical on a page that was turned. */
const continues = (line: Box, box: Box): boolean =>
  isBeside(line, box) || isBeside(turned(line), turned(box));

/** Reads the lines of text on a page, in the order of the file. */
function linesOf(page: PDFiumPage, width: number, height: number): Line[] {
  const { module: functions, pageIdx } = page as unknown as { module: TextFunctions; pageIdx: number };
  const text = functions._FPDFText_LoadPage(pageIdx);
  if (!text) return [];
  const memory = functions.wasmExports.malloc(32); // four floats, followed by two integers
  const heap = () => new DataView(functions.HEAPU8.buffer); // the memory can move when it grows
  const [across, down] = [Math.round(width * unitsPerPoint), Math.round(height * unitsPerPoint)];
  const pointAt = (x: number, y: number): readonly [number, number] => {
    functions._FPDF_PageToDevice(pageIdx, 0, 0, across, down, 0, x, y, memory + 16, memory + 20);
    return [heap().getInt32(memory + 16, true), heap().getInt32(memory + 20, true)];
  };
  const boxOf = (index: number): Box | undefined => {
    if (!functions._FPDFText_GetLooseCharBox(text, index, memory)) return undefined;
    const view = heap();
    const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => view.getFloat32(memory + at, true)) as [
      number,
      number,
      number,
      number,
    ];
    const [one, other] = [pointAt(left, top), pointAt(right, bottom)];
    return union(
      { left: one[0], top: one[1], right: one[0], bottom: one[1] },
      { left: other[0], top: other[1], right: other[0], bottom: other[1] },
    );
  };
  const lines: Line[] = [];
  let line: { box: Box | undefined; text: string } = { box: undefined, text: '' };
  const end = () => {
    const { box, text: written } = line;
    if (box && written.trim() !== '') {
      const sizes = [box.left, box.top, box.right - box.left, box.bottom - box.top];
      const [left = 0, top = 0, wide = 0, high = 0] = sizes.map((size) => size / unitsPerPoint);
      lines.push([left, top, wide, high, written]);
    }
    line = { box: undefined, text: '' };
  };
  const count = functions._FPDFText_CountChars(text);
  for (let index = 0; index < count; index += 1) {
    const code = functions._FPDFText_GetUnicode(text, index);
    const sign = code === 0 ? '' : String.fromCodePoint(code);
    if (sign === '\n' || sign === '\r') {
      end();
      continue;
    }
    const isBlank = sign.trim() === '';
    const box = isBlank ? undefined : boxOf(index);
    if (box && line.box && !continues(line.box, box)) end();
    line = { box: box && line.box ? union(line.box, box) : (box ?? line.box), text: line.text + sign };
  }
  end();
  functions.wasmExports.free(memory);
  functions._FPDFText_ClosePage(text);
  return lines;
}

const rounded = (points: number): number => Math.round(points * unitsPerPoint) / unitsPerPoint;

/**
 * Returns the sizes of the pages and the positions of the lines of text as JSON, with which a viewer lays selectable text
 * over the pictures of the pages.
 */
export const pdfLayout: Converter = {
  name: 'pdf2layout',
  makes: 'layout',
  takes: ['application/pdf'],
  convert: ({ file }) =>
    openPdfium(file, async (document) => {
      const began = work();
      const pages: Page[] = [];
      let length = 0;
      for (const page of document.pages()) {
        const { originalWidth: width, originalHeight: height } = page.getOriginalSize();
        const isRead = length < textLimit && work() - began < maxSeconds;
        const lines = isRead ? linesOf(page, width, height) : [];
        length += lines.reduce((sum, [, , , , text]) => sum + text.length, 0);
        pages.push({ width: rounded(width), height: rounded(height), lines });
      }
      return { mimeType: 'application/json', bytes: Buffer.from(JSON.stringify({ pages })) };
    }),
};
