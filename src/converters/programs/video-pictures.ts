import { access } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ConversionTask,
  type Converted,
  type Converter,
  type MediaInfo,
  storyboardFrames,
  Unsuitable,
} from '../converter.ts';
import { thumbnailSize } from '../thumbnail.ts';
import { mediaInput, runMedia, videoTypes } from './media-files.ts';
import { mediaInfo } from './media-info.ts';

/**
 * The position of the default frame, as a fraction of the duration. It is not zero because the first frame is often
 * black.
 */
const posterAt = 0.1;

interface FrameOptions {
  readonly format: 'png' | 'jpeg';
  /** The maximum length of the longer side, in pixels. */
  readonly size: number;
  /** The position in seconds; by default a tenth of the duration. */
  readonly at?: number | undefined;
}

async function pictureOf(
  task: ConversionTask,
  { duration, width }: MediaInfo,
  { format, size, at }: FrameOptions,
): Promise<Converted> {
  if (width === null) throw new Error('the file has no video stream');
  if (at !== undefined && duration !== null && at > 0 && at >= duration)
    throw new Unsuitable(
      'second',
      `the video lasts ${duration} seconds, so there is no frame at ${at} seconds`,
    );
  const file = join(task.folder, `picture.${format}`);
  const scale = `scale='min(${size},iw)':'min(${size},ih)':force_original_aspect_ratio=decrease`;
  const seek = ['-ss', String(at ?? (duration ?? 0) * posterAt), '-threads', '1'];
  const output = ['-an', '-frames:v', '1', '-vf', scale, '-threads', '1', '-q:v', '3', '-f', 'image2', file];
  await runMedia(task, 'ffmpeg', [...seek, ...mediaInput(task.file), ...output]);
  await access(file).catch((cause: unknown) => {
    // Ffmpeg exits with code 0 even if it found no frame.
    throw new Error('ffmpeg found no frame in the file', { cause });
  });
  return { mimeType: `image/${format}`, file };
}

const common = { takes: videoTypes, needs: ['ffmpeg', 'ffprobe'] } as const;

export const videoPictures: readonly Converter[] = [
  {
    ...common,
    name: 'video2thumbnail',
    makes: 'thumbnail',
    convert: async (task) => pictureOf(task, await mediaInfo(task), { format: 'jpeg', size: thumbnailSize }),
  },
  ...(['png', 'jpeg'] as const).map(
    (format): Converter => ({
      ...common,
      name: `video2${format}`,
      makes: format,
      parameters: {
        second: {
          description: 'The position in seconds; by default a tenth of the duration.',
          min: 0,
          max: 1_000_000,
        },
        size: {
          description: 'The maximum length of the longer side, in pixels; by default 1000.',
          min: 1,
          max: 4_000,
        },
      },
      convert: async (task) => {
        const { second: at, size = 1_000 } = task.parameters;
        return pictureOf(task, await mediaInfo(task), { format, size, at });
      },
    }),
  ),
  ...storyboardFrames.map(
    (name, index): Converter => ({
      ...common,
      name: `video${name}`,
      makes: name,
      convert: async (task) => {
        const media = await mediaInfo(task);
        const duration = media.duration ?? 0;
        if (duration === 0 && index > 0) throw new Error('the duration of the video is unknown');
        const timecode = Math.floor((duration * index * 1_000) / storyboardFrames.length) / 1_000;
        const frameOptions = { format: 'jpeg', size: thumbnailSize, at: timecode } as const;
        const frame = await pictureOf(task, media, frameOptions);
        return { ...frame, facts: { media, timecode } };
      },
    }),
  ),
];
