import type { Converter } from '../converter.ts';
import { encrypted } from '../encrypted.ts';
import { isCompoundFile, readCompoundFile, textOfOtherFormat } from './compound-file.ts';
import { asText, textLimit } from './text-limit.ts';

/** The record types that are read (MS-PPT 2.13.24). */
const types = {
  document: 0x03e8,
  documentAtom: 0x03e9,
  mainMaster: 0x03f8,
  handout: 0x0fc9,
  exHyperlink: 0x0fd7,
  headersFooters: 0x0fd9,
  textChars: 0x0fa0,
  textBytes: 0x0fa8,
  string: 0x0fba,
  userEdit: 0x0ff5,
  binaryTag: 0x138b,
  persistDirectory: 0x1772,
  comment: 0x2ee0,
} as const;

/**
 * The record types whose strings are visible. In other records, strings are, for example, names of fonts or tags.
 */
const shownStrings: ReadonlySet<number> = new Set([types.exHyperlink, types.headersFooters, types.comment]);

interface PptRecord {
  readonly type: number;
  /** Whether the record consists of other records. */
  readonly isContainer: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the record at an offset; undefined if there is none. A record is cut off at the end of its parent if its length
 * field exceeds it.
 */
function recordAt(bytes: Buffer, offset: number, limit: number): PptRecord | undefined {
  const start = offset + 8;
  if (offset < 0 || start > limit) return undefined;
  const type = bytes.readUInt16LE(offset + 2);
  const isContainer = (bytes.readUInt16LE(offset) & 0xf) === 0xf || type === types.binaryTag;
  return { type, isContainer, start, end: Math.min(start + bytes.readUInt32LE(offset + 4), limit) };
}

function* recordsIn(bytes: Buffer, start: number, end: number): Generator<PptRecord> {
  for (let offset = start, found = recordAt(bytes, offset, end); found; ) {
    yield found;
    offset = found.end;
    found = recordAt(bytes, offset, end);
  }
}

const maxDepth = 30;

/** The types of records that contain placeholder texts for authors, such as "Click to add a title". */
const masters: ReadonlySet<number> = new Set([types.mainMaster, types.handout]);

/** Yields the texts in a record and its descendants, except the texts of masters. */
function* textsIn(bytes: Buffer, record: PptRecord, depth = 0): Generator<string> {
  if (masters.has(record.type) || depth > maxDepth) return;
  for (const each of recordsIn(bytes, record.start, record.end)) {
    const content = bytes.subarray(each.start, each.end);
    if (each.isContainer) yield* textsIn(bytes, each, depth + 1);
    else if (each.type === types.textBytes) yield content.toString('latin1');
    else if (each.type === types.textChars || (each.type === types.string && shownStrings.has(record.type)))
      yield content.toString('utf16le');
  }
}

/**
 * Finds the current versions of the objects in a presentation. Each save appends an edit record with a directory of the
 * objects that it replaces.
 */
function currentObjects(bytes: Buffer, lastEdit: number): PptRecord[] {
  const offsets = new Map<number, number>();
  const seen = new Set<number>();
  for (let offset = lastEdit; offset > 0 && !seen.has(offset); ) {
    seen.add(offset);
    const edit = recordAt(bytes, offset, bytes.length);
    if (edit?.type !== types.userEdit || edit.end - edit.start < 16) break;
    const directory = recordAt(bytes, bytes.readUInt32LE(edit.start + 12), bytes.length);
    if (directory?.type !== types.persistDirectory) break;
    for (let at = directory.start; at + 4 <= directory.end; ) {
      const run = bytes.readUInt32LE(at); // the number of objects and the id of the first one
      at += 4;
      for (let index = 0; index < run >>> 20 && at + 4 <= directory.end; index += 1, at += 4) {
        const id = (run & 0xfffff) + index;
        if (!offsets.has(id)) offsets.set(id, bytes.readUInt32LE(at));
      }
    }
    offset = bytes.readUInt32LE(edit.start + 8);
  }
  const objects = new Map<number, PptRecord>();
  for (const [id, offset] of offsets) {
    const object = recordAt(bytes, offset, bytes.length);
    if (object?.isContainer) objects.set(id, object);
  }
  for (const { type, start } of objects.values()) {
    if (type !== types.document) continue;
    const atom = recordAt(bytes, start, bytes.length);
    if (atom?.type === types.documentAtom && atom.end >= atom.start + 28)
      objects.delete(bytes.readUInt32LE(atom.start + 24)); // the notes master has the same record type as notes
  }
  return [...objects.values()];
}

/** The token in the stream `Current User` that marks an encrypted presentation. */
const encryptionToken = 0xf3d1c4df;

/** Extracts the text of PowerPoint 97 to 2003 presentations: slides, notes, comments, headers and footers. */
export const slidesText: Converter = {
  name: 'ppt2text',
  makes: 'text',
  takes: ['application/vnd.ms-powerpoint'],
  hasParts: true,
  convert: async (task) => {
    const { file } = task;
    if (!(await isCompoundFile(file))) return asText(await textOfOtherFormat(task));
    const { stream } = await readCompoundFile(file);
    const bytes = stream('PowerPoint Document');
    const user = stream('Current User');
    if (!bytes || !user || user.length < 20) throw new Error('the file contains no presentation');
    if (user.readUInt32LE(12) === encryptionToken || stream('EncryptedSummary')) throw encrypted();
    let text = '';
    for (const object of currentObjects(bytes, user.readUInt32LE(16))) {
      for (const each of textsIn(bytes, object)) {
        text += `${each.replaceAll(/[\r\v]/g, '\n')}\n`;
        if (text.length >= textLimit) return asText(text);
      }
    }
    return asText(text);
  },
};
