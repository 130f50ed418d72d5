import type { Readable } from 'node:stream';
import type { Program, Tools } from './programs/programs.ts';

/** The properties of a picture. They become the fields of `picture:info`. */
export interface PictureInfo {
  /** The width in pixels, after the picture has been rotated according to EXIF. */
  readonly width: number;
  readonly height: number;
  /** The number of bits per channel. */
  readonly depth: number;
  /** The name of the format, such as JPEG. */
  readonly format: string;
  /** The name of the color space: sRGB, Gray, CMYK or Lab. */
  readonly colorSpace: string;
}

/** Information about a picture that is gathered while one of its views is being created. */
interface PictureFacts {
  readonly view: PictureInfo;
  readonly picture: PictureInfo;
  /** EXIF metadata, keyed by the field names of the schema `image_metadata`. The location is omitted for privacy. */
  readonly metadata: Readonly<Record<string, string | number>>;
}

/** A stream in a video or audio file. */
interface MediaStream {
  readonly type: string | null;
  readonly codec: string | null;
  readonly streamInfo: string | null;
  /** The bit rate, in bits per second. */
  readonly bitRate: number | null;
}

/** The properties of a video or audio file. They become the fields of `vid:info`. */
export interface MediaInfo {
  /** The duration in seconds. */
  readonly duration: number | null;
  /** The width in pixels, after rotation. */
  readonly width: number | null;
  readonly height: number | null;
  /** The container format in ffprobe's notation, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly format: string | null;
  /** The number of frames per second. */
  readonly frameRate: number | null;
  readonly streams: readonly MediaStream[];
}

/** Information about a video or audio file that is gathered while the file is being converted. */
interface MediaFacts {
  readonly media: MediaInfo;
  /** The position of the extracted frame, in seconds. */
  readonly timecode?: number;
}

export type FileFacts = PictureFacts | MediaFacts;

/**
 * The result of a conversion: its bytes or, if it is large, a file in the task's folder. For a file without a picture,
 * the thumbnail has zero bytes.
 */
export type Converted = {
  readonly mimeType: string;
  /** Information about the source. Only converters for pictures, video and audio return it. */
  readonly facts?: FileFacts;
} & ({ readonly bytes: Uint8Array } | { readonly file: string });

/** The names of picture views, as used by clients. */
export type PictureView = 'Thumbnail' | 'Small' | 'Medium' | 'FullHD' | 'OriginalJpeg';

/** The frames in a video's storyboard, in order. */
export const storyboardFrames = [
  'Frame1',
  'Frame2',
  'Frame3',
  'Frame4',
  'Frame5',
  'Frame6',
  'Frame7',
  'Frame8',
  'Frame9',
] as const;
type StoryboardFrame = (typeof storyboardFrames)[number];

/** The purpose of a conversion, or the kind of file that it creates. */
export type Purpose =
  | PictureView
  | StoryboardFrame
  | 'thumbnail'
  | 'text'
  | 'pdf'
  | 'html'
  | 'png'
  | 'jpeg'
  | 'webp'
  | 'gif'
  | 'tiff'
  /** A resized copy of the picture. */
  | 'resized'
  /** Information about a file, as JSON. */
  | 'info'
  /** The positions of the text on the pages of a file, as JSON. */
  | 'layout'
  /** A range of pages of the file. */
  | 'pages'
  /** Several files joined into one. */
  | 'joined';

/** A file to convert. */
export interface Source {
  /** The path of the file. */
  readonly file: string;
  /** The media type in lower case, without parameters. */
  readonly mimeType: string;
  /** The declared encoding of a text file, if there is one. */
  readonly encoding?: string | null;
}

/** The values of a converter's parameters. */
export type ConverterParameters = Readonly<Record<string, number>>;

/** A file inside another one, such as an attachment in an email. */
export interface FilePart {
  /** The file name, possibly empty. The extension determines the format if the bytes do not. */
  readonly name: string;
  /** The media type that the outer file declares for the part. */
  readonly mimeType?: string | undefined;
  readonly bytes: Uint8Array | Readable;
}

/** The input of a converter, as the server sends it to the converter process. */
export interface ConversionInput extends Source {
  /** Additional files, for converters with several input files. */
  readonly others: readonly Source[];
  readonly parameters: ConverterParameters;
  /** An empty folder for converters that run programs or read parts. It is deleted after the conversion. */
  readonly folder: string;
  readonly tools: Tools;
}

export interface ConversionTask extends ConversionInput {
  /**
   * Extracts the text of a part, for converters with `hasParts`. Returns undefined if the part has no readable text or
   * if the file has too many parts.
   */
  readonly textOfPart: (part: FilePart) => Promise<string | undefined>;
}

/** An integer parameter of a converter. */
export interface NumberParameter {
  readonly description: string;
  readonly min: number;
  readonly max: number;
}

/**
 * Thrown if a parameter is not valid for the file, although the file itself is valid. The message states the reason.
 */
export class Unsuitable extends Error {
  readonly parameter: string;
  constructor(parameter: string, fault: string) {
    super(fault);
    this.parameter = parameter;
  }
}

/** Thrown if the file is valid, but can be converted only by a program that is not installed. */
export class ProgramNeeded extends Error {
  readonly program: Program;
  constructor(program: Program, fault: string) {
    super(fault);
    this.program = program;
  }
}

/**
 * A conversion from certain media types to another one. It runs in a separate process that can be killed at any time,
 * so a converter must not rely on being able to clean up.
 */
export interface Converter {
  /** The unique name of the converter. Cached results are stored under this name. */
  readonly name: string;
  /**
   * The purpose of the conversion. If several converters have the same purpose, the first one that accepts the media
   * type is used.
   */
  readonly makes: Purpose;
  /** The media types that the converter accepts. */
  readonly takes: readonly string[];
  /** The programs that the converter requires. */
  readonly needs?: readonly Program[];
  /** The programs that the converter uses if they are installed. */
  readonly canUse?: readonly Program[];
  /** Whether the converter also extracts the text of files inside the file. */
  readonly hasParts?: true;
  /** Whether other converters, such as the thumbnail converter, can use the resulting PDF as input. */
  readonly isIntermediate?: true;
  /**
   * Whether the converter is used only if all others for the same media type and purpose are unavailable or fail.
   */
  readonly isFallback?: true;
  /** The maximum CPU time in seconds. The programs that the converter runs have their own limits. */
  readonly seconds?: number;
  /** The maximum elapsed time in seconds. */
  readonly timeout?: number;
  /** The parameters of the converter, all of which are optional. */
  readonly parameters?: Readonly<Record<string, NumberParameter>>;
  /** Converts a file. @throws Error for an invalid file; Unsuitable for an invalid parameter. */
  readonly convert: (task: ConversionTask) => Promise<Converted>;
}
