import type { Program, Tools } from './programs/programs.ts';

/** What pictures are like: the fields of `picture:info`. */
export interface PictureInfo {
  /** Of the upright picture, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Bits of a channel. */
  readonly depth: number;
  /** Such as JPEG. */
  readonly format: string;
  /** sRGB, Gray, CMYK or Lab. */
  readonly colorSpace: string;
}

/** What is known of a picture once a view of it is made. */
interface PictureFacts {
  readonly view: PictureInfo;
  readonly picture: PictureInfo;
  /** What the camera has written, by the names of the schema `image_metadata`; no place. */
  readonly metadata: Readonly<Record<string, string | number>>;
}

/** A stream of a film or a sound. */
interface MediaStream {
  readonly type: string | null;
  readonly codec: string | null;
  readonly streamInfo: string | null;
  /** Bits a second. */
  readonly bitRate: number | null;
}

/** What films and sounds are like: the fields of `vid:info`. */
export interface MediaInfo {
  /** Seconds. */
  readonly duration: number | null;
  /** Of the upright film, in pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** What contains the streams, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly format: string | null;
  /** Pictures a second. */
  readonly frameRate: number | null;
  readonly streams: readonly MediaStream[];
}

/** What is known of a film or a sound, and of a picture of the film when it is in the film. */
interface MediaFacts {
  readonly media: MediaInfo;
  /** Seconds. */
  readonly timecode?: number;
}

export type FileFacts = PictureFacts | MediaFacts;

/** What a conversion makes: the bytes of a small file, or a file in the folder of the task. */
export type Converted = {
  readonly mimeType: string;
  /** Of the views of pictures, of films and of sounds. */
  readonly facts?: FileFacts;
} & ({ readonly bytes: Uint8Array } | { readonly file: string });

/** The sizes in which pictures are shown, by the names that clients know. */
export type PictureView = 'Thumbnail' | 'Small' | 'Medium' | 'FullHD' | 'OriginalJpeg';

/** The pictures that show what happens in a film, in their order. */
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

/** What files are converted for. */
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
  /** The same picture within other sides. */
  | 'resized'
  /** Numbers about a file, as JSON. */
  | 'info'
  /** Fewer pages of the same kind. */
  | 'pages'
  /** One file of several. */
  | 'joined';

export interface Source {
  /** Where its bytes are. */
  readonly file: string;
  readonly mimeType: string;
}

/** Numbers that callers give, by the names of the converter's parameters. */
export type ConverterParameters = Readonly<Record<string, number>>;

export interface ConversionTask extends Source {
  /** The files that follow the first one, for converters that take several. */
  readonly others: readonly Source[];
  readonly parameters: ConverterParameters;
  /** An empty folder where the converter needs programs, which is deleted afterwards. */
  readonly folder: string;
  readonly tools: Tools;
}

/** The whole numbers that a parameter may be. */
export interface NumberParameter {
  readonly description: string;
  readonly least: number;
  readonly most: number;
}

/** A parameter does not suit the file, with which nothing is wrong: the message says why. */
export class Unsuitable extends Error {
  readonly parameter: string;
  constructor(parameter: string, fault: string) {
    super(fault);
    this.parameter = parameter;
  }
}

/** A file can only be converted by a program that is not there; with the file nothing is wrong. */
export class ProgramNeeded extends Error {
  readonly program: Program;
  constructor(program: Program, fault: string) {
    super(fault);
    this.program = program;
  }
}

/**
 * One way to make a file of another kind. It runs in a process of its own, which may be killed at any time.
 */
export interface Converter {
  /** Unique: what it made is kept under it. */
  readonly name: string;
  /** Of those that make the same, the first that takes a file converts it. */
  readonly makes: Purpose;
  /** Media types that it takes. */
  readonly takes: readonly string[];
  /** Programs without which it does not work. */
  readonly needs?: readonly Program[];
  /** Programs that it uses where they are there. */
  readonly mayUse?: readonly Program[];
  /** Of one that makes PDFs: whether other converters go on with them, such as that of thumbnails. */
  readonly leadsOn?: true;
  /** Seconds of work after which it is given up; programs have limits of their own. */
  readonly seconds?: number;
  /** Seconds after which it is given up, however busy the machine is. */
  readonly patience?: number;
  /** None of them has to be given. */
  readonly parameters?: Readonly<Record<string, NumberParameter>>;
  /** @throws what is wrong with the file, Unsuitable */
  readonly convert: (task: ConversionTask) => Promise<Converted>;
}
