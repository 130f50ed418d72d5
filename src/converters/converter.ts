import type { Program, Tools } from './programs/programs.ts';

/** The characteristics of a picture: the fields of `picture:info`. */
export interface PictureInfo {
  /** Pixels, after the picture has been rotated according to EXIF. */
  readonly width: number;
  readonly height: number;
  /** Bits per channel. */
  readonly depth: number;
  /** The format, such as JPEG. */
  readonly format: string;
  /** The colour space: sRGB, Gray, CMYK or Lab. */
  readonly colorSpace: string;
}

/** The facts about a picture that the creation of a view yields. */
interface PictureFacts {
  readonly view: PictureInfo;
  readonly picture: PictureInfo;
  /** EXIF metadata, by the names of the schema `image_metadata`. The geographic position is left out for privacy. */
  readonly metadata: Readonly<Record<string, string | number>>;
}

/** A stream in a video or audio file. */
interface MediaStream {
  readonly type: string | null;
  readonly codec: string | null;
  readonly streamInfo: string | null;
  /** Bits per second. */
  readonly bitRate: number | null;
}

/** The characteristics of a video or audio file: the fields of `vid:info`. */
export interface MediaInfo {
  /** The duration in seconds. */
  readonly duration: number | null;
  /** Pixels, after rotation. */
  readonly width: number | null;
  readonly height: number | null;
  /** The container format, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly format: string | null;
  /** Frames per second. */
  readonly frameRate: number | null;
  readonly streams: readonly MediaStream[];
}

/** The facts about a video or audio file that a conversion yields. */
interface MediaFacts {
  readonly media: MediaInfo;
  /** The position of the extracted frame, in seconds. */
  readonly timecode?: number;
}

export type FileFacts = PictureFacts | MediaFacts;

/** The result of a conversion: bytes, or for a large result a file in the folder of the task. */
export type Converted = {
  readonly mimeType: string;
  /** Facts about the source; only converters of pictures, video and audio return them. */
  readonly facts?: FileFacts;
} & ({ readonly bytes: Uint8Array } | { readonly file: string });

/** The views of pictures, by the names that clients use. */
export type PictureView = 'Thumbnail' | 'Small' | 'Medium' | 'FullHD' | 'OriginalJpeg';

/** The frames of the storyboard of a video, in their order. */
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
  /** The picture with another width and height. */
  | 'resized'
  /** Facts about a file, as JSON. */
  | 'info'
  /** Some pages of the file. */
  | 'pages'
  /** Several files joined into one. */
  | 'joined';

/** A file to convert. */
export interface Source {
  /** The path of the file. */
  readonly file: string;
  readonly mimeType: string;
}

/** The values of the parameters of a converter. */
export type ConverterParameters = Readonly<Record<string, number>>;

export interface ConversionTask extends Source {
  /** Further files, for converters that take several. */
  readonly others: readonly Source[];
  readonly parameters: ConverterParameters;
  /** An empty folder for converters that run programs. It is deleted after the conversion. */
  readonly folder: string;
  readonly tools: Tools;
}

/** An integer parameter of a converter. */
export interface NumberParameter {
  readonly description: string;
  readonly min: number;
  readonly max: number;
}

/** Thrown if a parameter does not suit the file, which is itself valid. The message gives the reason. */
export class Unsuitable extends Error {
  readonly parameter: string;
  constructor(parameter: string, fault: string) {
    super(fault);
    this.parameter = parameter;
  }
}

/** Thrown if a valid file can only be converted by a program that is not installed. */
export class ProgramNeeded extends Error {
  readonly program: Program;
  constructor(program: Program, fault: string) {
    super(fault);
    this.program = program;
  }
}

/**
 * A conversion from some media types to another one. It runs in a separate process, which can be killed at any time.
 */
export interface Converter {
  /** The unique name of the converter. Results are cached under it. */
  readonly name: string;
  /** The purpose. Among converters for the same purpose, the first one that takes the media type is used. */
  readonly makes: Purpose;
  /** The media types that it can convert. */
  readonly takes: readonly string[];
  /** Programs that it requires. */
  readonly needs?: readonly Program[];
  /** Programs that it uses if they are installed. */
  readonly canUse?: readonly Program[];
  /** Whether its PDFs can be the input of other converters, such as that for thumbnails. */
  readonly isIntermediate?: true;
  /** The number of seconds of processor time after which it is aborted. Programs have their own limits. */
  readonly seconds?: number;
  /** The number of seconds of elapsed time after which it is aborted. */
  readonly timeout?: number;
  /** The parameters, all of which are optional. */
  readonly parameters?: Readonly<Record<string, NumberParameter>>;
  /** Converts a file. @throws Error for a faulty file; Unsuitable for a faulty parameter. */
  readonly convert: (task: ConversionTask) => Promise<Converted>;
}
